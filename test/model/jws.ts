// The compact JWS (RFC 7515) of confirmations and signed approvals, header byte for byte (chapter 3).
import { b64u, fromB64u } from "./digests.ts";
import { canonical, isObject, json, JsonError, readExact, type Json, type JsonObject } from "./json.ts";
import { signWith, verifyWith, type Key, type KeySet } from "./keys.ts";

function header(key: Key, typ: string): string {
  return canonical(json({ alg: key.alg, kid: key.kid, typ }));
}

/** Signs a payload; `typ` tells the kinds of object apart. */
export function signJws(key: Key, typ: string, payload: Json): string {
  const input = `${b64u(Buffer.from(header(key, typ)))}.${b64u(Buffer.from(canonical(payload)))}`;
  return `${input}.${b64u(signWith(key, Buffer.from(input)))}`;
}

/** The payload of a JWS whose form, header, key use and signature hold; else null. */
export function openJws(set: KeySet, use: Key["use"], typ: string, text: string): JsonObject | null {
  const parts = text.split(".");
  if (parts.length !== 3) return null;
  const [head, payload, signature] = parts.map(fromB64u);
  if (head === null || payload === null || signature === null) return null;
  const key = [...set.keys.values()].find((k) => header(k, typ) === Buffer.from(head).toString("utf8") && Buffer.from(header(k, typ)).equals(head));
  if (key === undefined || key.use !== use) return null;
  if (!verifyWith(key, Buffer.from(`${parts[0]}.${parts[1]}`), signature)) return null;
  try {
    const value = readExact(payload);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}
