// Row 42, while it runs: the call is sent; a kill switch, the tool's time limit or the client's cancellation reaches it at the tool.
import type { Answer } from "../../call/answer.ts";
import type { CallRecord, Sent } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { cancelledElsewhere } from "../../call/sharing.ts";
import { killed } from "./38-kill-switches.ts";

/** Records what came of it. What stopped it is in the result's error: `tool_timeout`, `tool_cancelled`, `tool_killed`. Refuses with `cancelled` what was cancelled before it was sent. */
export async function whileItRuns(call: CallRecord, world: World): Promise<Answer> {
  if (world.isCancelled) return { answer: "refuse", reason: "cancelled", message: "The call was cancelled before it was made." };
  call.sent = await sendOnce(call, world);
  world.crash("answered");
  return { answer: "records", detail: { status: call.sent.status, ...(call.sent.error === undefined ? {} : { error: call.sent.error.code }) } };
}

/** Sends the canonical arguments, once. */
export async function sendOnce(call: CallRecord, world: World): Promise<Sent> {
  const settings = world.toolSettings(call.tool);
  const stop = new AbortController();
  let stopped: Sent["error"];
  const end = (code: string, message: string): void => {
    stopped ??= { code, message };
    stop.abort(new DOMException(message, code === "tool_timeout" ? "TimeoutError" : "AbortError"));
  };
  const cancelled = (): void => end("tool_cancelled", "the client cancelled the call while it was made");
  const timer = setTimeout(() => end("tool_timeout", `the tool did not answer within ${settings.timeoutMs} ms`), settings.timeoutMs);
  const forget = world.parts.kills.onKill((tenant) => {
    if (tenant === call.tenant && killed(call, world) !== null) end("tool_killed", "a kill switch stopped the call while it was made");
  });
  for (const signal of [world.stop.signal, world.signal]) signal?.addEventListener("abort", cancelled, { once: true });
  if (world.isCancelled) cancelled();
  const over = world.isShared ? new AbortController() : null;
  if (over !== null) void cancelledElsewhere(call, world.parts, settings.timeoutMs, over.signal).then((isCancelled) => isCancelled && cancelled());
  const startedAt = world.now();
  try {
    const sending = world.parts.upstream.send(call, { settings, signal: stop.signal, operation: call.operation ?? call.id });
    world.crash("sent");
    const sent = await sending;
    return bounded(stopped, sent, settings.resultBytes);
  } catch (cause) {
    const error = stopped ?? { code: "tool_unreachable", message: cause instanceof Error ? cause.message : "the call could not be sent" };
    return { status: "outcome_unknown", error, startedAt, endedAt: world.now() };
  } finally {
    clearTimeout(timer);
    over?.abort();
    forget();
    for (const signal of [world.stop.signal, world.signal]) signal?.removeEventListener("abort", cancelled);
  }
}

/** What was sent and answered, within the limit of results. What stopped the call is told where its outcome is unknown because of that. */
function bounded(stopped: Sent["error"], sent: Sent, resultBytes: number): Sent {
  if (sent.status === "outcome_unknown" && stopped !== undefined) return { ...sent, error: stopped };
  if (sent.result === undefined || Buffer.byteLength(sent.result) <= resultBytes) return sent;
  const { result: _result, fields: _fields, ...rest } = sent;
  return { ...rest, error: { code: "result_too_large", message: `the tool answered more than ${resultBytes} bytes: the call was made, and its result is not passed on` } };
}
