// The formulas of chapters 1 and 3 as they are written there, over node:crypto: digests, links, tokens, JWS objects, `once`.

import { createHash, createHmac, createPrivateKey, sign as edSign } from "node:crypto";
import type { Json } from "./core.ts";

/** RFC 8785 over values that JSON.parse can hold. */
export function jcs(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jcs).join(",")}]`;
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${jcs(value[name])}`).join(",")}}`;
}

export const b64u = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString("base64url");
export const hash = (...parts: (string | Uint8Array)[]): Buffer => {
  const state = createHash("sha256");
  for (const part of parts) state.update(part);
  return state.digest();
};
export const mac = (key: Uint8Array, text: string | Uint8Array): Buffer => createHmac("sha256", key).update(text).digest();

/** `b64u(H(label || "\n" || JCS(value)))`: policy ids, snapshots, once values, states. */
export const named = (label: string, value: Json): string => b64u(hash(`${label}\n`, jcs(value)));

/** The argument digest of a canonical text; `keys` is a key set with a `digest_key` or `"digests":"plain"`. */
export function digestText(keys: Json, session: string, tenant: string, text: string): string {
  const scope = jcs({ session, tenant });
  if (keys.digests === "plain") return b64u(hash("qls-argument/1\n", scope, "\n", text));
  const own = mac(Buffer.from(keys.digest_key, "base64url"), `qls-digest-key/1\n${scope}`);
  return b64u(mac(own, `qls-argument/1\n${text}`));
}

/** The bytes of a signature by one JWK of a key set. */
export function signBytes(key: Json, message: Uint8Array): Buffer {
  if (key.alg === "HS256") return mac(Buffer.from(key.k, "base64url"), message);
  return edSign(null, message, createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", x: key.x, d: key.d }, format: "jwk" }));
}

export const keyOf = (keys: Json, kid: string): Json => keys.keys.find((key: Json) => key.kid === kid);

/** The links of a history, `link(-1)` first. */
export function links(history: Json, tenant: string): Buffer[] {
  const out = [hash("qls-history/1\n", jcs({ session: history.session, tenant }))];
  let before = "{}";
  for (const entry of history.entries) {
    const { outcome, token, ...body } = entry;
    out.push(hash("qls-link/1\n", out.at(-1) as Buffer, before, "\n", jcs(body)));
    before = jcs({ outcome: outcome ?? null, token });
  }
  return out;
}

/** The token over a link. */
export function tokenOf(key: Json, link: Uint8Array): string {
  return `${key.kid}.${b64u(signBytes(key, Buffer.concat([Buffer.from("qls-token/1\n"), link])))}`;
}

/** Signs every entry again, in place: how a history that the core never wrote is made. */
export function resign(history: Json, tenant: string, keys: Json, kid: string = keys.active): Json {
  for (let i = 0; i < history.entries.length; i++) {
    history.entries[i].token = tokenOf(keyOf(keys, kid), links({ ...history, entries: history.entries.slice(0, i + 1) }, tenant)[i + 1] as Buffer);
  }
  return history;
}

/** The head of a history. */
export function headOf(history: Json, tenant: string): Json {
  const last = history.entries.at(-1);
  const state = hash("qls-state/1\n", jcs({ outcome: last?.outcome ?? null, reports: history.reports ?? {} }));
  return { step: history.entries.length - 1, link: b64u(links(history, tenant).at(-1) as Buffer), state: b64u(state) };
}

/** A compact JWS with exactly this header and payload text. */
export function jws(key: Json, header: string, payload: string): string {
  const signed = `${b64u(header)}.${b64u(payload)}`;
  return `${signed}.${b64u(signBytes(key, Buffer.from(signed)))}`;
}

/** A compact JWS of the two types of chapter 3. */
export function typedJws(key: Json, typ: string, payload: Json): string {
  return jws(key, jcs({ alg: key.alg, kid: key.kid, typ }), jcs(payload));
}

export const confirmationJws = (key: Json, payload: Json): string => typedJws(key, "qls-confirmation+jws", payload);
export const approvalJws = (key: Json, payload: Json): string => typedJws(key, "qls-approval+jws", payload);
export const payloadOf = (token: string): Json => JSON.parse(Buffer.from(token.split(".")[1] as string, "base64url").toString());
