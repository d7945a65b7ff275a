// Confirmation tokens (chapter 3): the JWS that a `confirm` carries, and what it says when it comes back.

import { NULL, STRING, ARRAY, Value, count, first, get, isInteger, isKind, kind, next, numberValue, stringText } from "../json/value";
import { writeString } from "../json/string";
import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { Key, KeySet, USE_SIGN } from "./keys";
import { openJws, writeJws } from "./jws";

export const CONFIRMATION_TYPE: string = "qls-confirmation+jws";

/** What a confirmation says; its lists are nodes of the payload. */
@final
export class Confirmation {
  agent: Text | null = null;
  digest: Text = NO_TEXT;
  expires: i64 = 0;
  issued: i64 = 0;
  labels: Value = 0;
  link: Text = NO_TEXT;
  policy: Text = NO_TEXT;
  principal: Text | null = null;
  reasons: Value = 0;
  session: Text = NO_TEXT;
  snapshot: Text = NO_TEXT;
  step: i64 = 0;
  tool: Text = NO_TEXT;
  undoing: bool = false;
  undoes: i64 = 0;
}

function isTexts(value: Value): bool {
  if (!isKind(value, ARRAY)) return false;
  const end = next(value);
  for (let element = first(value); element < end; element = next(element)) if (kind(element) != STRING) return false;
  return true;
}

function isTextOrNull(value: Value): bool {
  return value != 0 && (kind(value) == STRING || kind(value) == NULL);
}

/** Opens a confirmation; null where it was not signed by a signing key of the set, or is no confirmation. */
export function openConfirmation(keys: KeySet, token: Text): Confirmation | null {
  const payload = openJws(keys, USE_SIGN, CONFIRMATION_TYPE, token);
  if (payload == 0) return null;
  const undoes = get(payload, "undoes");
  if (count(payload) != (undoes != 0 ? 14 : 13)) return null;
  const made = new Confirmation();
  const agent = get(payload, "agent");
  const digest = get(payload, "digest");
  const expires = get(payload, "exp");
  const issued = get(payload, "iat");
  made.labels = get(payload, "labels");
  const link = get(payload, "link");
  const policy = get(payload, "policy");
  const principal = get(payload, "principal");
  made.reasons = get(payload, "reasons");
  const session = get(payload, "session");
  const snapshot = get(payload, "snapshot");
  const step = get(payload, "step");
  const tool = get(payload, "tool");
  const typed = isTextOrNull(agent) && isKind(digest, STRING) && isInteger(expires) && isInteger(issued) && isTexts(made.labels) &&
    isKind(link, STRING) && isKind(policy, STRING) && isTextOrNull(principal) && isTexts(made.reasons) && isKind(session, STRING) &&
    isKind(snapshot, STRING) && isInteger(step) && isKind(tool, STRING) && (undoes == 0 || isInteger(undoes));
  if (!typed) return null;
  if (kind(agent) == STRING) made.agent = stringText(agent);
  made.digest = stringText(digest);
  made.expires = <i64>numberValue(expires);
  made.issued = <i64>numberValue(issued);
  made.link = stringText(link);
  made.policy = stringText(policy);
  if (kind(principal) == STRING) made.principal = stringText(principal);
  made.session = stringText(session);
  made.snapshot = stringText(snapshot);
  made.step = <i64>numberValue(step);
  made.tool = stringText(tool);
  if (undoes != 0) {
    made.undoing = true;
    made.undoes = <i64>numberValue(undoes);
  }
  return made;
}

/** Appends a text as a JSON string, or `null`. */
export function writeTextOrNull(text: Text | null, out: Buffer): void {
  if (text == null) out.ascii("null");
  else writeString(text.start, text.length, out);
}

/** Appends a list of texts. */
export function writeTexts(list: Array<Text>, out: Buffer): void {
  out.byte(0x5b);
  for (let i = 0; i < list.length; i++) {
    if (i != 0) out.byte(0x2c);
    writeString(list[i].start, list[i].length, out);
  }
  out.byte(0x5d);
}

/** Appends the token of a question. `link` is the link of the question's own entry, base64url; `reasons` and `labels` its own. */
export function writeConfirmation(
  key: Key, agent: Text | null, digest: Text, at: i64, ttl: i64, labels: Array<Text>, link: Text, policy: Text, principal: Text | null,
  reasons: Array<Text>, session: Text, snapshot: Text, step: i32, tool: Text, undoing: bool, undoes: i64, out: Buffer,
): void {
  const payload = new Buffer(640);
  payload.ascii('{"agent":');
  writeTextOrNull(agent, payload);
  payload.ascii(',"digest":"');
  payload.text(digest);
  payload.ascii('","exp":');
  payload.integer(at + ttl);
  payload.ascii(',"iat":');
  payload.integer(at);
  payload.ascii(',"labels":');
  writeTexts(labels, payload);
  payload.ascii(',"link":"');
  payload.text(link);
  payload.ascii('","policy":"');
  payload.text(policy);
  payload.ascii('","principal":');
  writeTextOrNull(principal, payload);
  payload.ascii(',"reasons":');
  writeTexts(reasons, payload);
  payload.ascii(',"session":');
  writeString(session.start, session.length, payload);
  payload.ascii(',"snapshot":"');
  payload.text(snapshot);
  payload.ascii('","step":');
  payload.integer(step);
  payload.ascii(',"tool":');
  writeString(tool.start, tool.length, payload);
  if (undoing) {
    payload.ascii(',"undoes":');
    payload.integer(undoes);
  }
  payload.byte(0x7d);
  writeJws(key, CONFIRMATION_TYPE, payload, out);
}
