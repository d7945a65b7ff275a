// Argument digests (chapter 1): keyed by a key of the session's own, or plain.

import { writeBase64url } from "../digest/base64url";
import { HMAC_KEY_STATE, hmac, hmacKey, hmacMany } from "../digest/hmac";
import { SHA256_LENGTH } from "../digest/sha256";
import { sha256Many } from "../digest/sha256x4";
import { writeCanonical } from "../json/canonical";
import { DIGEST_LETTERS, labelled } from "../digest/labelled";
import { writeString } from "../json/string";
import { Value } from "../json/value";
import { Buffer, Text } from "../memory/buffer";
import { allocate } from "../memory/region";

/** Appends `{"session":S,"tenant":T}`. */
export function writeScope(session: Text, tenant: Text, out: Buffer): void {
  out.ascii('{"session":');
  writeString(session.start, session.length, out);
  out.ascii(',"tenant":');
  writeString(tenant.start, tenant.length, out);
  out.byte(0x7d);
}

/**
 * Works out the key of one session's argument digests.
 * @param digestKey the HMAC state of K
 * @returns the HMAC state of Ks, in the current region
 */
export function scopeKey(digestKey: usize, session: Text, tenant: Text): usize {
  const scope = labelled("qls-digest-key/1", 64 + session.length + tenant.length);
  writeScope(session, tenant, scope);
  const raw = allocate(SHA256_LENGTH);
  hmac(digestKey, scope.start, scope.length, raw);
  const state = allocate(HMAC_KEY_STATE);
  hmacKey(raw, SHA256_LENGTH, state);
  return state;
}

/** Messages hashed side by side. */
const LANES: i32 = 4;

/**
 * Makes the argument digests of one session: keyed by a key of its own, or plain. Messages wait until four can be hashed side by
 * side, or until `settle`.
 */
@final
export class ArgumentDigests {
  /** `qls-argument/1`, a line feed, and for plain digests the scope: what each message begins with. */
  private prefix: Buffer;
  /** The messages that wait, one after another: how many, where each begins and ends, and where its letters go. */
  private messages: Buffer = new Buffer(1024);
  private waiting: i32 = 0;
  private ends: StaticArray<i32> = new StaticArray<i32>(LANES);
  private letters: StaticArray<Buffer> = new StaticArray<Buffer>(LANES);
  /** LANES records of 12 bytes (start, length, where the digest goes), then LANES digests. */
  private records: usize = allocate(<usize>LANES * 44);

  /** The HMAC state of Ks, or 0 for plain digests. */
  private key: usize;

  /**
   * @param digestKey the HMAC state of K, or 0 where the key set says `"digests":"plain"`
   * @param known the HMAC state of Ks where it was worked out before, or 0
   */
  constructor(digestKey: usize, session: Text, tenant: Text, known: usize = 0) {
    this.prefix = labelled("qls-argument/1", 128);
    this.key = known;
    if (digestKey == 0) {
      writeScope(session, tenant, this.prefix);
      this.prefix.byte(0x0a);
    } else if (known == 0) this.key = scopeKey(digestKey, session, tenant);
  }

  /** Begins a digest: append the canonical text to what this returns, then call `end`. */
  begin(): Buffer {
    if (this.waiting == LANES) this.settle();
    this.messages.bytes(this.prefix.start, this.prefix.length);
    return this.messages;
  }

  /** Ends a digest. Its 43 letters may be read once `settle` was called. */
  end(): Text {
    const out = new Buffer(DIGEST_LETTERS + 1);
    this.ends[this.waiting] = this.messages.length;
    this.letters[this.waiting] = out;
    this.waiting++;
    return new Text(out.start, DIGEST_LETTERS);
  }

  /** Makes the digests that wait. */
  settle(): void {
    const count = this.waiting;
    const digests = this.records + <usize>(LANES * 12);
    let begin = 0;
    for (let i = 0; i < count; i++) {
      const record = this.records + <usize>(i * 12);
      store<u32>(record, <u32>(this.messages.start + <usize>begin));
      store<i32>(record, this.ends[i] - begin, 4);
      store<u32>(record, <u32>(digests + <usize>(i * SHA256_LENGTH)), 8);
      begin = this.ends[i];
    }
    if (this.key != 0) hmacMany(this.key, this.records, count);
    else sha256Many(this.records, count);
    for (let i = 0; i < count; i++) writeBase64url(digests + <usize>(i * SHA256_LENGTH), SHA256_LENGTH, this.letters[i]);
    this.messages.clear();
    this.waiting = 0;
  }

  /** The digest of a value, which may be read once `settle` was called. */
  later(value: Value): Text {
    writeCanonical(value, this.begin());
    return this.end();
  }

  /** The digest of a value as a text. */
  of(value: Value): Text {
    const text = this.later(value);
    this.settle();
    return text;
  }
}
