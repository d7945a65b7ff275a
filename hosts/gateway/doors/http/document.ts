// The OpenAPI 3.1 document, made of the operations that are mounted.
import type { Api } from "./routing.ts";

const ABOUT =
  "Decides tool calls, asks people, makes the calls it allows, and keeps what happened. Every answer that is no decision is {\"error\":{code,message,pointer?,offset?,detail?}}, and nothing ran. Bodies are strict JSON: a member twice, bytes that are not UTF-8 and inexact numbers are refused.";

/** The document. `publicUrl`: the address that people reach the gateway at. */
export function apiDocument({ router }: Api, publicUrl: string): ReturnType<Api["router"]["getOpenAPI31Document"]> {
  return router.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Interlock gateway", version: "1", description: ABOUT, license: { name: "Apache-2.0" } },
    servers: [{ url: publicUrl.replace(/\/+$/, "") }],
    tags: ["calls", "sessions", "approvals", "listings", "policy", "kill", "audit", "operations"].map((name) => ({ name })),
  });
}
