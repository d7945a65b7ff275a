// Argument digests (chapter 1): keyed by a key of the session's own, or plain.

import { storeBase64url } from "../digest/base64url";
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

/** Messages that wait to be hashed side by side, at the most. */
const WAITING: i32 = 16;
/** Bytes kept for a digest's letters. */
const LETTERS_ROOM: usize = 48;

/**
 * Makes the argument digests of one session: keyed by a key of its own, or plain. Messages wait to be hashed side by side, until
 * `settle`; the longest are best begun first.
 */
@final
export class ArgumentDigests {
  /** `qls-argument/1`, a line feed, and for plain digests the scope: what each message begins with. */
  private prefix: Buffer;
  /** The messages that wait, one after another, and how many they are. */
  private messages: Buffer = new Buffer(2048);
  private waiting: i32 = 0;
  /** WAITING records of 12 bytes: where the message begins in `messages` (its address, at last), its length, where its digest goes. */
  private records: usize = allocate(<usize>WAITING * 12);
  /** Where the message that is being written begins. */
  private from: i32 = 0;

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
    if (this.waiting == WAITING) this.settle();
    this.from = this.messages.length;
    this.messages.bytes(this.prefix.start, this.prefix.length);
    return this.messages;
  }

  /** Ends a digest. Its 43 letters may be read once `settle` was called. */
  end(): Text {
    // The letters, and after them the digest that they are made of.
    const letters = allocate(LETTERS_ROOM + <usize>SHA256_LENGTH);
    const record = this.records + <usize>(this.waiting * 12);
    store<i32>(record, this.from);
    store<i32>(record, this.messages.length - this.from, 4);
    store<u32>(record, <u32>(letters + LETTERS_ROOM), 8);
    this.waiting++;
    return new Text(letters, DIGEST_LETTERS);
  }

  /** Gives up a digest that was begun. */
  drop(): void {
    this.messages.length = this.from;
  }

  /** Makes the digests that wait. */
  settle(): void {
    const count = this.waiting;
    const end = this.records + <usize>(count * 12);
    for (let record = this.records; record < end; record += 12) store<u32>(record, load<u32>(record) + <u32>this.messages.start);
    if (this.key != 0) hmacMany(this.key, this.records, count);
    else sha256Many(this.records, count);
    for (let record = this.records; record < end; record += 12) {
      const digest: usize = load<u32>(record, 8);
      storeBase64url(digest, SHA256_LENGTH, digest - LETTERS_ROOM);
    }
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
