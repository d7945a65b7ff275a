// The tokens of a history under verification: each is checked, HS256 ones four side by side.

import { constantTimeEqual } from "../digest/compare";
import { writeBase64url } from "../digest/base64url";
import { HMAC_LENGTH, hmacMany } from "../digest/hmac";
import { Value, stringLength, stringStart } from "../json/value";
import { Buffer } from "../memory/buffer";
import { allocate } from "../memory/region";
import { EDDSA, Key, KeySet } from "./keys";
import { TOKEN_MESSAGE, readSignature, signerOf, writeTokenMessage } from "./link";

/** MACs made side by side. */
const LANES: i32 = 4;
/** Letters of an HS256 signature. */
const MAC_LETTERS: i32 = 43;

/**
 * Checks tokens as they are noted, every one: a token covers those before it, but whoever holds a key may have signed on after a false one,
 * and chapter 3 refuses that history. An Ed25519 signature costs as much as three hundred MACs; a session handle verifies once.
 */
@final
export class Tokens {
  /** The key of the MACs that wait, and how many they are. */
  private key: Key | null = null;
  private waiting: i32 = 0;
  /** Where the letters of each one's signature are. */
  private signatures: StaticArray<usize> = new StaticArray<usize>(LANES);
  /** LANES messages, then LANES records (start, length, where the MAC goes), then LANES MACs. */
  private messages: usize = allocate(<usize>(LANES * (TOKEN_MESSAGE + 12 + HMAC_LENGTH)));
  private letters: Buffer = new Buffer(MAC_LETTERS + 1);
  /** The message of a token that is checked alone. */
  private single: usize = allocate(<usize>TOKEN_MESSAGE);

  constructor(private keys: KeySet) {
    const records = this.messages + <usize>(LANES * TOKEN_MESSAGE);
    for (let i = 0; i < LANES; i++) {
      const record = records + <usize>(i * 12);
      store<u32>(record, <u32>(this.messages + <usize>(i * TOKEN_MESSAGE)));
      store<i32>(record, TOKEN_MESSAGE, 4);
      store<u32>(record, <u32>(records + <usize>(LANES * 12 + i * HMAC_LENGTH)), 8);
    }
  }

  /** Notes the token of a link; false where its form or its key is wrong, or one noted before does not verify. */
  note(token: Value, link: usize): bool {
    const start = stringStart(token);
    const length = stringLength(token);
    const key = signerOf(this.keys, start, length);
    if (key == null) return false;
    if (key.algorithm == EDDSA) return this.checkNow(key, start, length, link);
    if (this.waiting == LANES || (this.waiting != 0 && this.key != key)) {
      if (!this.settle()) return false;
    }
    this.key = key;
    writeTokenMessage(link, this.messages + <usize>(this.waiting * TOKEN_MESSAGE));
    unchecked((this.signatures[this.waiting] = start + <usize>(length - MAC_LETTERS)));
    this.waiting++;
    return true;
  }

  private checkNow(key: Key, start: usize, length: i32, link: usize): bool {
    const signature = readSignature(key, start, length);
    if (signature == 0) return false;
    writeTokenMessage(link, this.single);
    return key.verify(this.single, TOKEN_MESSAGE, signature);
  }

  /** Checks the MACs that wait. */
  private settle(): bool {
    const count = this.waiting;
    if (count == 0) return true;
    this.waiting = 0;
    const records = this.messages + <usize>(LANES * TOKEN_MESSAGE);
    hmacMany(this.key!.secret, records, count);
    let all = true;
    for (let i = 0; i < count; i++) {
      this.letters.clear();
      writeBase64url(records + <usize>(LANES * 12 + i * HMAC_LENGTH), HMAC_LENGTH, this.letters);
      // A MAC has one text in strict base64url, so the texts are compared.
      if (!constantTimeEqual(this.letters.start, unchecked(this.signatures[i]), MAC_LETTERS)) all = false;
    }
    return all;
  }

  /** Whether every token noted verifies. */
  verify(): bool {
    return this.settle();
  }
}
