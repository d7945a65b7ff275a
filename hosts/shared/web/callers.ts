// Who may call a web host, and what each caller may say: bearer tokens by their hashes, and grants by the names of chapter 4's table.
import { Failure } from "./failure.ts";

/** Members that a caller may set only where it was granted, and operations likewise (chapter 4, "Who may set what"). */
const GRANTS = ["turns", "origins", "context", "resource", "agent", "principal", "confirmation", "approvals", "undo", "report", "receipt", "conform"] as const;
export type Grant = (typeof GRANTS)[number];

/** One bearer token's holder. */
export interface Caller {
  /** For the operator; said in no answer. */
  readonly name: string;
  /** SHA-256 of the token. */
  readonly hash: Uint8Array;
  /** Whose sessions it reaches: callers of one realm share them. The caller's name unless given, so that nobody shares without being told to. */
  readonly realm: string;
  /** The agent that all its calls are of; null where it names none. */
  readonly agent: string | null;
  /** The principal's JSON text that all its calls are for; null where there is none. */
  readonly principal: string | null;
  readonly may: ReadonlySet<Grant>;
}

/** A caller list that cannot be used, as a sentence; the settings name the binding. */
export class CallersError extends Error {}

/**
 * Reads the list of callers: `[{"name","sha256","realm"?,"agent"?,"principal"?,"may"?:[…]}]`, `sha256` in hexadecimal digits of the token's bytes.
 * Throws CallersError: a list that is half understood would open what its author thought closed.
 */
export function readCallers(text: string): Caller[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new CallersError("it is not JSON");
  }
  if (!Array.isArray(list) || list.length === 0) throw new CallersError("a list with at least one caller is needed");
  const callers = list.map(readCaller);
  for (const member of ["name", "sha256"]) {
    const values = list.map((each) => (each as Record<string, unknown>)[member]);
    if (new Set(values).size !== values.length) throw new CallersError(`two callers have one ${member}`);
  }
  return callers;
}

function readCaller(given: unknown, index: number): Caller {
  const where = `caller ${index + 1}`;
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new CallersError(`${where} is no object`);
  const { name, sha256, realm = name, agent = null, principal = null, may = [], ...rest } = given as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new CallersError(`${where} has a member ${unknown} that there is not`);
  if (!isName(name)) throw new CallersError(`${where} needs a name of 1 to 64 characters, none of them a control character`);
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) throw new CallersError(`${where} needs sha256, the 64 hexadecimal digits of its token's hash`);
  if (!isName(realm)) throw new CallersError(`${where} needs a realm of 1 to 64 characters, none of them a control character`);
  if (agent !== null && typeof agent !== "string") throw new CallersError(`the agent of ${where} is no string`);
  if (principal !== null && (typeof principal !== "object" || Array.isArray(principal))) throw new CallersError(`the principal of ${where} is no object`);
  if (!Array.isArray(may)) throw new CallersError(`may of ${where} is no list`);
  const strange = may.find((grant) => !(GRANTS as readonly unknown[]).includes(grant));
  if (strange !== undefined) throw new CallersError(`${where} may ${JSON.stringify(strange)}, which there is not; there are ${GRANTS.join(", ")}`);
  const grants = new Set(may as Grant[]);
  if ((agent !== null && grants.has("agent")) || (principal !== null && grants.has("principal")))
    throw new CallersError(`${where} has an agent or principal and may set it too: choose one`);
  return { name, hash: fromHex(sha256), realm, agent, principal: principal === null ? null : JSON.stringify(principal), may: grants };
}

function isName(given: unknown): given is string {
  // Half of a surrogate pair is no character: stores keep every one of them as U+FFFD, so that two realms would be one.
  return typeof given === "string" && /^[^\0-\x1f\x7f\ud800-\udfff]{1,64}$/u.test(given);
}

/** The bytes of hexadecimal digits. */
export function fromHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A token as RFC 6750 writes it, of at least 128 bits where each letter carries six, and as long as an issuer's signed token with RSA and its claims. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{22,8192}=*)$/i;

/**
 * The caller whose token the request bears. Hashes are compared whole and with every caller, so that time tells nothing.
 * Fails with `unauthorized`, whatever was wrong.
 */
export async function authenticate(request: Request, callers: readonly Caller[]): Promise<Caller> {
  const token = bearerOf(request);
  const found = await holderOf(token ?? "", callers);
  if (token === null || found === null) throw unauthorized();
  return found;
}

/** The bearer token of a request; null where it has none that could be one. */
export function bearerOf(request: Request): string | null {
  return BEARER.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

/** Whose token it is, by its SHA-256; null for nobody's. */
export async function holderOf<Holder extends { readonly hash: Uint8Array }>(token: string, holders: readonly Holder[]): Promise<Holder | null> {
  return holderOfHash(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))), holders);
}

/** Whose token it is, by its SHA-256; null for nobody's. Compared whole and with every holder, so that time tells nothing. */
export function holderOfHash<Holder extends { readonly hash: Uint8Array }>(hash: Uint8Array, holders: readonly Holder[]): Holder | null {
  let found: Holder | null = null;
  for (const holder of holders) if (equal(holder.hash, hash)) found = holder;
  return found;
}

/** What whoever is not let in is told, whatever was wrong. */
export function unauthorized(cause?: unknown): Failure {
  return new Failure(401, "unauthorized", "a bearer token of a known caller is needed: authorization: Bearer TOKEN, of 22 characters or more", {
    headers: { "www-authenticate": "Bearer" },
    cause,
  });
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
  return difference === 0;
}

/** Fails with `not_granted` where the caller may not do this. */
export function requireGrant(caller: Caller, grant: Grant): void {
  if (!caller.may.has(grant)) throw new Failure(403, "not_granted", `this caller may not use ${grant}: it is not in its grants`);
}
