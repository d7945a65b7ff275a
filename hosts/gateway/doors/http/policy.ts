// The policy, the tools' listings and the kill switches over HTTP.
import { z } from "@hono/zod-openapi";
import type { Grant } from "../../config/settings.ts";
import { textBody, valueBody } from "./bodies.ts";
import { type Api, json } from "./routing.ts";
import { killView, listingView, policyChange, policyView } from "./shapes.ts";

/** What a policy's source comes as. */
const SOURCES = ["application/yaml", "application/x-yaml", "application/json"];
/** The longest source of a policy, in bytes: some ten thousand tools. It is judged in a thread of its own; what is loaded of it afterwards holds calls up for a moment. */
const LONGEST = 1 << 20;
const source = { shape: z.string().openapi({ description: "the policy's source, YAML or JSON" }), types: SOURCES };
const policy: readonly Grant[] = ["policy"];
const invalid = { 422: "policy_invalid: detail has the problems; policy_unjudged: it takes too long" };
const rollBack = z.strictObject({ id: z.string().min(1).max(128) }).openapi("RollBack");
const approveListing = z.strictObject({ digest: z.string().min(1).max(128) }).openapi("ApproveListing");
const name = z.string().min(1).max(300);
const killBody = z.strictObject({ tool: name.optional(), agent: name.optional(), session: name.optional(), all: z.literal(true).optional(), why: z.string().min(1).max(2000) }).openapi("KillOrder");

export function mountPolicy(api: Api): void {
  api.mount({
    method: "get", path: "/v1/policy", id: "getPolicy", tag: "policy", may: policy, summary: "The policy in force, and the versions that there were",
    answers: { 200: { what: "The policy", shape: policyView } },
    answer: async (asked) => json(await asked.parts.gateway.policy(asked.caller.tenant)),
  });
  api.mount({
    method: "post", path: "/v1/policy", id: "registerPolicy", tag: "policy", may: policy, summary: "Register a policy: it is in force from now on, unless `dry_run=true`", body: source,
    query: { dry_run: z.enum(["true", "false"]).optional() },
    answers: { 200: { what: "Its id, and what changes", shape: policyChange } }, failures: invalid,
    answer: async (asked, { query }) => json(await asked.parts.gateway.registerPolicy(asked.caller, await textBody(asked, SOURCES, LONGEST), query.dry_run === "true")),
  });
  api.mount({
    method: "post", path: "/v1/policy/diff", id: "diffPolicy", tag: "policy", may: policy, summary: "What a policy would change; nothing is changed", body: source,
    answers: { 200: { what: "Its id, and what would change", shape: policyChange } }, failures: invalid,
    answer: async (asked) => json(await asked.parts.gateway.registerPolicy(asked.caller, await textBody(asked, SOURCES, LONGEST), true)),
  });
  api.mount({
    method: "post", path: "/v1/policy/rollback", id: "rollBackPolicy", tag: "policy", may: policy, summary: "Put an earlier version in force again", body: { shape: rollBack },
    answers: { 200: { what: "The version in force", shape: z.strictObject({ id: z.string() }) } }, failures: { 404: "policy_unknown" },
    answer: async (asked) => json(await asked.parts.gateway.rollBackPolicy(asked.caller, (await valueBody(asked, rollBack)).id)),
  });
  api.mount({
    method: "get", path: "/v1/listings", id: "getListings", tag: "listings", may: ["read_approvals", "approve", "policy", "admin"], summary: "The tools' listings: what was approved, and what waits",
    answers: { 200: { what: "The listings", shape: z.strictObject({ listings: z.array(listingView) }) } },
    answer: async (asked) => json({ listings: await asked.parts.gateway.listings(asked.caller.tenant) }),
  });
  api.mount({
    method: "post", path: "/v1/listings/{tool}/approve", id: "approveListing", tag: "listings", may: ["approve", "policy"], summary: "Approve exactly the listing that was shown", params: { tool: z.string().min(1).max(128) }, body: { shape: approveListing },
    answers: { 200: { what: "The listing", shape: listingView } }, failures: { 404: "listing_not_found", 409: "listing_changed" },
    answer: async (asked, { params }) => json(await asked.parts.gateway.approveListing(asked.caller, params.tool, (await valueBody(asked, approveListing)).digest)),
  });
  api.mount({
    method: "get", path: "/v1/kill", id: "getKills", tag: "kill", may: ["kill", "audit", "admin"], summary: "The kill switches that are on",
    answers: { 200: { what: "The switches", shape: z.strictObject({ kills: z.array(killView) }) } },
    answer: async (asked) => json({ kills: await asked.parts.gateway.kills(asked.caller.tenant) }),
  });
  api.mount({
    method: "post", path: "/v1/kill", id: "kill", tag: "kill", may: ["kill"], summary: "Stop calls, those in flight too: of a tool, an agent, a session (all that are named have to fit), or all", body: { shape: killBody },
    answers: { 201: { what: "The switch", shape: killView } }, failures: { 400: "kill_invalid" },
    answer: async (asked) => {
      const { tool, agent, session, all, why } = await valueBody(asked, killBody);
      const order = { why, ...(tool === undefined ? {} : { tool }), ...(agent === undefined ? {} : { agent }), ...(session === undefined ? {} : { session }), ...(all === undefined ? {} : { all }) };
      return json(await asked.parts.gateway.kill(asked.caller, order), 201);
    },
  });
  api.mount({
    method: "delete", path: "/v1/kill/{id}", id: "liftKill", tag: "kill", may: ["kill"], summary: "Lift a kill switch", params: { id: z.string().min(1).max(128) },
    answers: { 204: "It is lifted" }, failures: { 404: "kill_not_found" },
    answer: async (asked, { params }) => {
      await asked.parts.gateway.liftKill(asked.caller, params.id);
      return new Response(null, { status: 204 });
    },
  });
}
