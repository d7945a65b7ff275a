// Flips bits of a signed history's bytes: each time the history is refused, or nothing that counts has changed.

import { expect } from "vitest";
import { canonical, NO_LIMITS, read, type Json, type JsonObject } from "../model/json.ts";
import { Core } from "../setup/core.ts";
import { NOW, signedSession, type KeyKind } from "./signed.ts";

const encoder = new TextEncoder();

/** What a text says, canonically; null where it is no JSON. */
function said(text: Uint8Array): string | null {
  try {
    // What the engine's own reader refuses is no strict JSON either, and it is quicker.
    JSON.parse(Buffer.from(text).toString());
    return canonical(read(text, NO_LIMITS));
  } catch {
    return null;
  }
}

/** The history without what its holder may still change unseen where no head is kept: the last outcome and the pending reports. */
function signedPart(text: Uint8Array): string {
  const history = new Map(read(text, NO_LIMITS) as JsonObject);
  history.delete("reports");
  const entries = [...(history.get("entries") as Json[])];
  const last = new Map(entries.pop() as JsonObject);
  last.delete("outcome");
  history.set("entries", [...entries, last]);
  return canonical(history);
}

/** Puts white space where JSON allows it, so that flips meet it too: a tab's bit 2 makes it a carriage return. */
function spaced(history: string): string {
  return history.replaceAll('":{', '"\t:\t{').replaceAll("},{", "},\t{");
}

/**
 * Flips bits of every byte.
 * @param bitsOf the bits (0 to 7) to flip of the byte at an offset
 */
export function flipEveryByte(kind: KeyKind, bitsOf: (at: number) => number[]): void {
  const core = new Core();
  const { policy, keys, history, head } = signedSession(core, kind);
  const text = encoder.encode(spaced(history));
  const original = said(text);
  const part = signedPart(text);
  const seen = { broken: 0, refused: 0, unchanged: 0, unseen: 0 };
  const document = (before: string, flipped: Uint8Array, after: string) => Buffer.concat([encoder.encode(before), flipped, encoder.encode(after)]);
  const verify = (flipped: Uint8Array, more: string) => core.run("verify", [policy, keys], document('{"session":"s","history":', flipped, `${more}}`));
  expect(JSON.parse(verify(text, `,"head":${head}`).text)).toMatchObject({ valid: true });
  for (let at = 0; at < text.length; at++) {
    for (const bit of bitsOf(at)) {
      const flipped = text.slice();
      flipped[at] = flipped[at]! ^ (1 << bit);
      const where = `byte ${at}, bit ${bit}: …${Buffer.from(flipped.subarray(Math.max(0, at - 30), at + 30)).toString("latin1")}…`;
      const now = said(flipped);
      const bare = verify(flipped, "");
      const kept = verify(flipped, `,"head":${head}`);
      const holds = (answer: typeof bare) => answer.status === 0 && (JSON.parse(answer.text) as { valid: boolean }).valid;
      if (now === null) {
        seen.broken++;
        if (bare.status === 0 || kept.status === 0) expect.fail(`no JSON, and read: ${where}`);
      } else if (now === original) {
        seen.unchanged++;
        if (!holds(bare) || !holds(kept)) expect.fail(`nothing changed, and refused: ${where}`);
      } else {
        if (holds(kept)) expect.fail(`changed, and at its head: ${where}`);
        if (holds(bare) && signedPart(flipped) !== part) expect.fail(`changed, and valid: ${where}`);
        if (holds(bare)) seen.unseen++;
        else seen.refused++;
        const request = document(`{"format":"qls-tool-check/1","session":"s","tool":"get_order","arguments":{},"principal":{"id":"u-1"},"now":${NOW},"head":${head},"history":`, flipped, "}");
        const { status, text: answer } = core.run("check", [policy, keys], request);
        if (status === 0 && !answer.includes('"reason":"history_invalid"')) expect.fail(`changed, and checked: ${where}\n${answer}`);
      }
    }
  }
  console.log(`tamper: ${text.length} bytes signed by ${kind}: ${JSON.stringify(seen)}`);
  expect(seen.unchanged).toBeGreaterThan(0);
  expect(seen.unseen).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
}
