// Verifies an audit log offline, line by line, in bounded memory: any change, removal, insertion or reordering is found.
import { createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { canonicalJson } from "./canonical.ts";
import { lineHash, type SigningKey } from "./chain.ts";
import { valuesDigest } from "./values.ts";

/** Where a log stops being the one that was written. */
export interface AuditProblem {
  readonly code: "audit_values" | "audit_json" | "audit_form" | "audit_tenant" | "audit_seq" | "audit_link" | "audit_signature" | "audit_key" | "audit_end" | "audit_start";
  /** From 1. */
  readonly line: number;
  readonly seq: number | null;
  readonly message: string;
}

export interface AuditVerified {
  readonly valid: boolean;
  readonly tenant: string | null;
  readonly entries: number;
  readonly checkpoints: number;
  /** The sequence number that a signature covers everything up to; null where none does. */
  readonly covered: number | null;
  /** Lines after that, which only the hashes hold: whoever can rewrite the whole end could have. */
  readonly uncovered: number;
  /** The last line's sequence number and hash: kept elsewhere, it shows that nothing was cut off. */
  readonly head: { readonly seq: number; readonly hash: string } | null;
  /** Where records of values were given: how many an entry binds, and how many entries have a record that is not there, because it was erased or left out. */
  readonly values?: { readonly bound: number; readonly absent: number };
  readonly problem: AuditProblem | null;
}

/** What was kept elsewhere, which the log has to agree with. */
export interface Known {
  /** The head before the first line, where the log is a later part. */
  readonly from?: { readonly seq: number; readonly hash: string };
  /** A head that has to be among the lines. */
  readonly head?: { readonly seq: number; readonly hash: string };
  /** A signed checkpoint (its JWS) that has to be among the lines. */
  readonly checkpoint?: string;
  /** Records of shown values (values.ts): each has to be bound by an entry. */
  readonly values?: AsyncIterable<string> | Iterable<string>;
}

/**
 * Verifies the lines of one tenant's log.
 * @param keys the tenant's key set, or any with the public keys of those that signed
 * @param known what was kept elsewhere: without it, lines that were cut off the end leave no trace
 */
export async function verifyAudit(lines: AsyncIterable<string> | Iterable<string>, keys: { readonly keys?: readonly SigningKey[] }, known: Known = {}): Promise<AuditVerified> {
  const state = { tenant: null as string | null, entries: 0, checkpoints: 0, covered: null as number | null, seq: known.from?.seq ?? -1, hash: known.from?.hash ?? null, number: 0, met: known.head === undefined, signed: known.checkpoint === undefined };
  const records = known.values === undefined ? null : await digestsOf(known.values);
  let [bound, absent] = [0, 0];
  let problem: AuditProblem | null = null;
  const answer = (): AuditVerified => ({
    valid: problem === null,
    tenant: state.tenant,
    entries: state.entries,
    checkpoints: state.checkpoints,
    covered: state.covered,
    uncovered: state.seq - (state.covered ?? known.from?.seq ?? -1),
    head: state.hash === null ? null : { seq: state.seq, hash: state.hash },
    ...(records === null ? {} : { values: { bound, absent } }),
    problem,
  });
  for await (const line of lines) {
    state.number++;
    const wrong = next(line, state, keys, known.from !== undefined);
    if (wrong !== null) {
      problem = { ...wrong, line: state.number };
      return answer();
    }
    if (known.head !== undefined && state.seq === known.head.seq) {
      if (state.hash !== known.head.hash) problem = { code: "audit_end", line: state.number, seq: state.seq, message: "this line is not the one whose head was kept" };
      state.met = true;
    }
    if (!state.signed && line.includes(known.checkpoint!)) state.signed = (JSON.parse(line) as { checkpoint?: unknown }).checkpoint === known.checkpoint;
    const digest = records === null ? undefined : (JSON.parse(line) as { entry?: { values?: string } }).entry?.values;
    if (digest !== undefined && records!.delete(digest)) bound++;
    else if (digest !== undefined) absent++;
    if (problem !== null) return answer();
  }
  if (!state.signed) problem = { code: "audit_end", line: state.number, seq: state.seq, message: "the checkpoint that was kept is not among the lines: the log was cut off before it, or is another one" };
  const [stray] = records?.values() ?? [];
  if (stray !== undefined) problem = { code: "audit_values", line: stray, seq: null, message: "no entry binds this record of values: it was changed, or is of another log" };
  if (!state.met) problem = { code: "audit_end", line: state.number, seq: state.seq, message: `the log ends before the head that was kept (${known.head!.seq})` };
  return answer();
}

/** The records' digests, with the numbers of their lines. */
async function digestsOf(records: AsyncIterable<string> | Iterable<string>): Promise<Map<string, number>> {
  const digests = new Map<string, number>();
  let number = 0;
  for await (const record of records) digests.set(valuesDigest(record), ++number);
  return digests;
}

type Wrong = Omit<AuditProblem, "line">;

interface State {
  tenant: string | null;
  entries: number;
  checkpoints: number;
  covered: number | null;
  seq: number;
  hash: string | null;
}

function next(line: string, state: State, keys: { readonly keys?: readonly SigningKey[] }, later: boolean): Wrong | null {
  const wrong = (code: AuditProblem["code"], message: string): Wrong => ({ code, seq: state.seq + 1, message });
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line) as Record<string, unknown>;
    if (typeof value !== "object" || value === null || canonicalJson(value) !== line) return wrong("audit_form", "the line is not canonical JSON: it was written anew");
  } catch {
    return wrong("audit_json", "the line is no JSON");
  }
  const { tenant, seq, prev } = value;
  if (typeof tenant !== "string" || (state.tenant !== null && tenant !== state.tenant)) return wrong("audit_tenant", "the line is of another tenant's log");
  if (seq !== state.seq + 1) return wrong(state.tenant === null && !later ? "audit_start" : "audit_seq", `sequence number ${state.seq + 1} is missing: a line was removed, added or moved`);
  if (prev !== (state.hash ?? lineHash(tenant))) return wrong("audit_link", "the line does not follow the one before: one of them was changed");
  if (("entry" in value) === ("checkpoint" in value)) return wrong("audit_form", "a line is an entry or a checkpoint");
  if ("checkpoint" in value) {
    const bad = signature(value["checkpoint"], canonicalJson({ at: value["at"], prev, seq, tenant }), keys);
    if (bad !== null) return wrong(bad, bad === "audit_key" ? "the key set has no key of the checkpoint's id" : "the checkpoint's signature does not verify");
    state.covered = state.seq;
    state.checkpoints++;
  } else state.entries++;
  state.tenant = tenant;
  state.seq = seq as number;
  state.hash = lineHash(line);
  // A checkpoint covers itself too: its own line is made of what it signs.
  if ("checkpoint" in value) state.covered = state.seq;
  return null;
}

function signature(jws: unknown, payload: string, keys: { readonly keys?: readonly SigningKey[] }): "audit_signature" | "audit_key" | null {
  if (typeof jws !== "string") return "audit_signature";
  const [header, body, tail, more] = jws.split(".");
  if (header === undefined || body === undefined || tail === undefined || more !== undefined || body !== Buffer.from(payload).toString("base64url")) return "audit_signature";
  let told: { alg?: unknown; kid?: unknown };
  try {
    told = JSON.parse(Buffer.from(header, "base64url").toString("utf8")) as typeof told;
  } catch {
    return "audit_signature";
  }
  const key = keys.keys?.find(({ kid }) => kid === told.kid);
  if (key === undefined || (key.use ?? "sign") !== "sign") return "audit_key";
  const alg = key.kty === "oct" ? "HS256" : "EdDSA";
  if (header !== Buffer.from(canonicalJson({ alg, kid: key.kid, typ: "interlock-checkpoint+jws" })).toString("base64url")) return "audit_signature";
  const signed = Buffer.from(`${header}.${body}`);
  const given = Buffer.from(tail, "base64url");
  if (given.toString("base64url") !== tail) return "audit_signature";
  if (key.kty === "oct") {
    const wanted = createHmac("sha256", Buffer.from(key.k ?? "", "base64url")).update(signed).digest();
    return (key.k ?? "") !== "" && given.length === wanted.length && timingSafeEqual(given, wanted) ? null : "audit_signature";
  }
  return verify(null, signed, createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: key.x! }, format: "jwk" }), given) ? null : "audit_signature";
}
