// The request that the core decides a call by (chapter 4): what the door was allowed to set, the kept head and the gateway's clock.
import { type Head, InterlockError, rawMembers } from "interlock";
import type { Cover, PolicyInForce } from "../call/parts.ts";
import type { CallRecord } from "../call/record.ts";
import { GatewayError } from "../gateway.ts";

/** A request's text; the arguments' text stands at its end as it came. */
export function requestText(call: CallRecord, head: Head, nowSeconds: number, cover: Cover | null, history: string | null = null): string {
  const members: [string, unknown][] = [
    ["format", "qls-tool-check/1"],
    ["session", call.session],
    ["agent", call.agent ?? undefined],
    ["tool", call.tool],
    ["origins", call.origins],
    ["turns", call.turns],
    ["context", call.context],
    ["principal", call.principal],
    ["resource", call.resource],
    ["labels", call.labels],
    ["undo", call.undo],
    ["confirmation", cover === null ? call.confirmation : cover.confirmation],
    ["approvals", cover === null ? call.approvals : cover.approvals.length === 0 ? undefined : cover.approvals],
    ["explain", call.explain],
    ["now", nowSeconds],
    ["head", head],
  ];
  const written = members.filter(([, value]) => value !== undefined).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  if (history !== null) written.push(`"history":${history}`);
  return `{${written.join(",")},"arguments":${call.arguments}}`;
}

/**
 * Refuses arguments that are no JSON object, so that their text cannot become more than one member of a request.
 * Fails with the core's own words: `json_…`, `request_invalid`.
 */
export function requireObject(text: string, policy: PolicyInForce): void {
  if (rawMembers(text) !== null && text.isWellFormed()) return;
  canonicalText(text, policy);
  throw new GatewayError(400, "request_invalid", "the arguments of a call are one JSON object", { pointer: "/arguments" });
}

/** A JSON text in its canonical form, by the core. Fails with `json_…`. */
export function canonicalText(text: string, { client }: PolicyInForce): string {
  const line = JSON.stringify({ id: 0, op: "canonicalize", base64: Buffer.from(text).toString("base64") });
  const answer = JSON.parse(client.use((core) => core.run("conform", [], line))) as { ok?: string; error?: { code: string; message: string; offset?: number; pointer?: string } };
  if (answer.ok !== undefined) return answer.ok;
  const { code, message, offset, pointer } = answer.error ?? { code: "json_syntax", message: "this is no JSON" };
  throw new GatewayError(400, code, message, { pointer: `/arguments${pointer ?? ""}`, detail: offset === undefined ? undefined : { offset } });
}

/** The core's error as a door answers it: nothing was decided. */
export function refusedRequest(error: unknown): never {
  if (!(error instanceof InterlockError)) throw error;
  const ours = error.code === "core_trapped" || error.code.startsWith("keys_") || error.code === "handle_closed" || error.code === "name_unknown";
  throw new GatewayError(ours ? 500 : 400, error.code, error.message, { pointer: error.pointer, cause: error });
}
