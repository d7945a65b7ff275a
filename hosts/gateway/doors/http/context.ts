// What a route knows of its request: the parts of the door, the caller, the request's id, and its body within bounds.
import { rawMembers } from "interlock";
import { readBody, requireType, textOf } from "../../../shared/web/bounds.ts";
import type { Settings } from "../../config/settings.ts";
import { type Caller, type Gateway, GatewayError } from "../../gateway.ts";

export interface DoorParts {
  readonly gateway: Gateway;
  readonly settings: () => Settings;
  /** The metrics as Prometheus text. */
  readonly metrics: () => Promise<string>;
  /** A tenant's key set as JSON, for verifying its log. */
  readonly keys: (tenant: string) => unknown;
  readonly requestId: () => string;
  readonly version: string;
}

export interface Asked {
  readonly parts: DoorParts;
  readonly caller: Caller;
  readonly requestId: string;
  readonly request: Request;
  readonly url: URL;
}

/** How long a body may take to come, in milliseconds. */
const BODY_MS = 30_000;

/** The body's JSON text, one object. Fails with `content_type`, `body_size`, `body_slow`, `json_encoding`, `request_invalid`. */
export async function bodyText({ request, parts }: Asked): Promise<string> {
  requireType(request, ["application/json"]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GatewayError(408, "body_slow", "the body did not come in time")), BODY_MS);
  });
  try {
    const text = textOf(await Promise.race([readBody(request, parts.settings().limits.bodyBytes), late]));
    if (text === null) throw new GatewayError(400, "json_encoding", "the body is not UTF-8");
    return text;
  } finally {
    clearTimeout(timer);
  }
}

/** The members of an object's text by name. Fails with `request_invalid`: no object, a member twice, a member that there is not. */
export function membersOf(text: string, known: readonly string[]): Map<string, string> {
  const members = rawMembers(text);
  if (members === null) throw new GatewayError(400, "request_invalid", "the body has to be one JSON object", { pointer: "" });
  const found = new Map<string, string>();
  for (const { name, value } of members) {
    const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!known.includes(name)) throw new GatewayError(400, "request_invalid", `there is no such member here; the members are ${known.join(", ")}`, { pointer });
    if (found.has(name)) throw new GatewayError(400, "request_invalid", "this member is there twice", { pointer });
    found.set(name, value.text);
  }
  return found;
}

/** A member's value, read: for members whose digits do not matter. Fails with `request_invalid` at the member. */
export function valueOf<T>(members: ReadonlyMap<string, string>, name: string, wanted: string, is: (value: unknown) => value is T): T | undefined {
  const text = members.get(name);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new GatewayError(400, "request_invalid", "this member is no JSON", { pointer: `/${name}` });
  }
  if (!is(value)) throw new GatewayError(400, "request_invalid", `this member has to be ${wanted}`, { pointer: `/${name}` });
  return value;
}

export const isText = (value: unknown): value is string => typeof value === "string";
export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
export const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
export const isTrue = (value: unknown): value is boolean => typeof value === "boolean";

/** A text that has to be there. */
export function needed<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new GatewayError(400, "request_invalid", `the member ${name} is missing`, { pointer: `/${name}` });
  return value;
}

/** Fails with `not_granted` where the caller has none of the rights. */
export function requireGrant({ caller }: Asked, ...grants: readonly string[]): void {
  if (!grants.some((grant) => caller.may.has(grant))) throw new GatewayError(403, "not_granted", `this caller has no right to this: ${grants.join(" or ")} is wanted`);
}

/** A number in the query. Fails with `request_invalid`. */
export function queryNumber(url: URL, name: string, most: number, otherwise: number): number {
  const text = url.searchParams.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,10}$/.test(text)) throw new GatewayError(400, "request_invalid", `${name} has to be a number`);
  return Math.min(Number(text), most);
}
