// Argument digests (chapter 1): keyed by a key of the session's own, or plain.

import { writeBase64url } from "../digest/base64url";
import { HMAC_KEY_STATE, hmac, hmacKey } from "../digest/hmac";
import { SHA256_LENGTH, sha256 } from "../digest/sha256";
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

/** Makes the argument digests of one session: keyed by a key of its own, or plain. */
@final
export class ArgumentDigests {
  /** The HMAC state of Ks, or 0 for plain digests. */
  private key: usize = 0;
  /** `qls-argument/1`, a line feed, and for plain digests the scope; then the value. */
  private message: Buffer;
  private prefix: i32;
  private raw: usize;

  /** `digestKey`: the HMAC state of K, or 0 where the key set says `"digests":"plain"`. */
  constructor(digestKey: usize, session: Text, tenant: Text) {
    this.raw = allocate(SHA256_LENGTH);
    this.message = labelled("qls-argument/1", 256);
    if (digestKey != 0) {
      const scope = labelled("qls-digest-key/1", 64 + session.length + tenant.length);
      writeScope(session, tenant, scope);
      hmac(digestKey, scope.start, scope.length, this.raw);
      this.key = allocate(HMAC_KEY_STATE);
      hmacKey(this.raw, SHA256_LENGTH, this.key);
    } else {
      writeScope(session, tenant, this.message);
      this.message.byte(0x0a);
    }
    this.prefix = this.message.length;
  }

  /** Begins a digest: append the canonical text to what this returns, then call `end`. */
  begin(): Buffer {
    this.message.length = this.prefix;
    return this.message;
  }

  /** Ends a digest and appends its 43 letters. */
  end(out: Buffer): void {
    if (this.key != 0) hmac(this.key, this.message.start, this.message.length, this.raw);
    else sha256(this.message.start, this.message.length, this.raw);
    writeBase64url(this.raw, SHA256_LENGTH, out);
  }

  /** Appends the digest of a value. */
  write(value: Value, out: Buffer): void {
    writeCanonical(value, this.begin());
    this.end(out);
  }

  /** The digest of a value as a text. */
  of(value: Value): Text {
    const out = new Buffer(DIGEST_LETTERS + 1);
    this.write(value, out);
    return out.view();
  }
}
