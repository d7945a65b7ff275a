// The chain of the history (chapter 3):
//
//   link(-1) = H("qls-history/1\n" || JCS({"session": S, "tenant": T}))
//   prev(i)  = JCS({"outcome": outcome(i) or null, "token": token(i)})          prev(-1) = "{}"
//   link(i)  = H("qls-link/1\n" || link(i-1) || prev(i-1) || "\n" || JCS(body(i)))
//   token(i) = KID "." b64u(sign(key KID, "qls-token/1\n" || link(i)))
//   state(n) = H("qls-state/1\n" || JCS({"outcome": outcome(n) or null, "reports": reports or {}}))

import { sha256 } from "../digest/sha256";
import { readBase64url } from "../digest/base64url";
import { CANONICAL, SortedMembers, Value, flags, next, stringLength, stringStart, textLength, textStart } from "../json/value";
import { writeCanonical } from "../json/canonical";
import { equalAscii } from "../memory/bytes";
import { Buffer, Text } from "../memory/buffer";
import { allocate } from "../memory/region";
import { EntryMembers } from "./entry";
import { digestText, labelled } from "../digest/labelled";
import { writeScope } from "./digest";
import { Key, KeySet, SIGNATURE_MAXIMUM, USE_SIGN, writeToken } from "./keys";
import { History } from "./history";

/** Writes link(-1), 32 bytes, to `out`. */
export function firstLink(session: Text, tenant: Text, out: usize): void {
  const message = labelled("qls-history/1", 64 + session.length + tenant.length);
  writeScope(session, tenant, message);
  sha256(message.start, message.length, out);
}

/** Appends `{"outcome":…,"token":…}` of the last entry, or `{}`. */
export function writePrevious(outcome: Text, token: Text, first: bool, out: Buffer): void {
  if (first) {
    out.ascii("{}");
    return;
  }
  out.ascii('{"outcome":');
  if (outcome.length != 0) out.text(outcome);
  else out.ascii("null");
  out.ascii(',"token":');
  out.text(token);
  out.byte(0x7d);
}

/** Begins a link's message: everything before the body. */
export function beginLink(history: History, message: Buffer): void {
  message.clear();
  message.ascii("qls-link/1\n");
  message.bytes(history.link, 32);
  const first = history.entries.length == 0;
  writePrevious(first ? history.token : history.last.ownOutcome, history.token, first, message);
  message.byte(0x0a);
}

/** Appends the canonical body of a stored entry: all of it but `outcome` and `token`. */
export function writeBody(entry: Value, members: EntryMembers, out: Buffer): void {
  if ((flags(entry) & CANONICAL) == 0) {
    writeBodyMembers(entry, out);
    return;
  }
  // Canonical text: the two members are cut out. Neither is ever the last, so the comma after each goes with it.
  let from = textStart(entry);
  const end = from + <usize>textLength(entry);
  if (members.outcome != 0) {
    const name = textStart(members.outcome) - 10;
    out.bytes(from, <i32>(name - from));
    from = textStart(members.outcome) + <usize>textLength(members.outcome) + 1;
  }
  const token = textStart(members.token) - 8;
  out.bytes(from, <i32>(token - from));
  from = textStart(members.token) + <usize>textLength(members.token) + 1;
  out.bytes(from, <i32>(end - from));
}

function writeBodyMembers(entry: Value, out: Buffer): void {
  out.byte(0x7b);
  let any = false;
  for (const m = new SortedMembers(entry); m.name != 0; m.advance()) {
    const start = stringStart(m.name);
    const length = stringLength(m.name);
    if (equalAscii(start, length, "outcome") || equalAscii(start, length, "token")) continue;
    if (any) out.byte(0x2c);
    any = true;
    out.byte(0x22);
    out.bytes(start, length);
    out.ascii('":');
    writeCanonical(m.value, out);
  }
  out.byte(0x7d);
}

const TOKEN_LABEL: i32 = 12;
/** Bytes of the message a token signs. */
export const TOKEN_MESSAGE: i32 = TOKEN_LABEL + 32;

/** Writes the message a token signs: its label and the link. */
export function writeTokenMessage(link: usize, out: usize): void {
  // "qls-token/1\n"
  store<u64>(out, 0x656b6f742d736c71);
  store<u32>(out, 0x0a312f6e, 8);
  v128.store(out, v128.load(link), 12);
  v128.store(out, v128.load(link, 16), 28);
}

/** Appends the token of a link, or `null` in a preview. */
export function writeLinkToken(keys: KeySet, link: usize, out: Buffer): void {
  const key = keys.active;
  if (key == null) {
    out.ascii("null");
    return;
  }
  out.byte(0x22);
  const message = allocate(TOKEN_MESSAGE);
  writeTokenMessage(link, message);
  writeToken(key, message, TOKEN_MESSAGE, allocate(SIGNATURE_MAXIMUM), out);
  out.byte(0x22);
}

/** The key of a token whose form is `KID.SIGNATURE`, whose KID is a signing key of the set and whose signature has that key's length; else null. */
export function signerOf(keys: KeySet, start: usize, length: i32): Key | null {
  let dot = 0;
  while (dot < length && load<u8>(start + <usize>dot) != 0x2e) dot++;
  if (dot == length) return null;
  const key = keys.find(start, dot, USE_SIGN);
  if (key == null || length - dot - 1 != signatureLetters(key)) return null;
  return key;
}

function signatureLetters(key: Key): i32 {
  return key.signatureLength == 32 ? 43 : 86;
}

/** Room for one signature. */
const SIGNATURE: usize = memory.data(72, 8);

/** The bytes of the signature of a token of a key, until the next call; 0 where they are no strict base64url. */
export function readSignature(key: Key, start: usize, length: i32): usize {
  const letters = signatureLetters(key);
  return readBase64url(start + <usize>(length - letters), letters, SIGNATURE) == key.signatureLength ? SIGNATURE : 0;
}

/** The state of a history's end, base64url. */
export function stateText(outcome: Text, reports: Text): Text {
  const message = labelled("qls-state/1", 64 + outcome.length + reports.length);
  message.ascii('{"outcome":');
  if (outcome.length != 0) message.text(outcome);
  else message.ascii("null");
  message.ascii(',"reports":');
  if (reports.length != 0) message.text(reports);
  else message.ascii("{}");
  message.byte(0x7d);
  return digestText(message);
}
