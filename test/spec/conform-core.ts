// Sends lines of the conformance protocol to the built core and reads its answers, with the independent digests the cases compare them to.

import { createHash, createHmac } from "node:crypto";
import { Core as BuiltCore } from "../setup/core.ts";

/** What a line answered: `ok` or `error`, under the line's `id`. */
export type Answer = { id: unknown; ok?: any; error?: { code: string; message: string; offset?: number; pointer?: string; problems?: Problem[] } };
export type Problem = { code: string; message: string; pointer: string };

/** JSON text that is put into a line as it stands, so that a case can send what no JavaScript value prints as. */
export class Raw {
  constructor(readonly text: string) {}
}
export const raw = (text: string): Raw => new Raw(text);

/** JSON text of a value that may hold `Raw` parts. Members that are undefined are left out. */
export function text(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${text(member)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** A core whose lines are told by their operation and members, and whose answers are parsed. */
export class Core extends BuiltCore {
  /** The parsed answer to one line, given as text or as bytes. */
  ask(line: string | Uint8Array): Answer {
    return JSON.parse(this.line(line)) as Answer;
  }

  /** Sends one operation with its members. */
  send(op: string, members: Record<string, unknown> = {}): Answer {
    return this.ask(text({ id: 1, op, ...members }));
  }
}

/** RFC 8785 text of a value that JavaScript holds exactly; `Raw` parts stand as they are. */
export function jcs(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jcs).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort(); // by UTF-16 code units
  return `{${names.map((name) => `${JSON.stringify(name)}:${jcs((value as Record<string, unknown>)[name])}`).join(",")}}`;
}

export const b64 = (bytes: Uint8Array | string): string => Buffer.from(bytes as string).toString("base64");
export const b64u = (bytes: Uint8Array | string): string => Buffer.from(bytes as string).toString("base64url");

/** `b64u(H(label || rest))` */
export function digest(...parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("base64url");
}

/** The keyed argument digest of chapter 1. */
export function keyedDigest(key: Uint8Array, tenant: string, session: string, value: unknown): string {
  const one = createHmac("sha256", key).update("qls-digest-key/1\n" + jcs({ session, tenant })).digest();
  return createHmac("sha256", one).update("qls-argument/1\n" + jcs(value)).digest("base64url");
}

/** The plain argument digest of chapter 1. */
export function plainDigest(tenant: string, session: string, value: unknown): string {
  return digest("qls-argument/1\n", jcs({ session, tenant }), "\n", jcs(value));
}

/** A key set that signs, with keyed digests. */
export const digestKey = Buffer.alloc(32, 9);
export const keySet = {
  format: "qls-keys/1",
  active: "k1",
  keys: [{ kid: "k1", kty: "oct", alg: "HS256", k: b64u(Buffer.alloc(32, 7)) }],
  digest_key: b64u(digestKey),
};
