// Tests the digest room: SHA-256, SHA-512, HMAC-SHA-256, base64 both ways, against NIST, RFC 4231, Wycheproof and node:crypto.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeShared, shared } from "../vectors/shared";
import { Unit } from "./instance";
import { Random } from "./random";

const unit = new Unit("digest");
const hex = (text: string) => Buffer.from(text, "hex");
const json = (path: string) => JSON.parse(readFileSync(shared(path), "utf8"));

function sha256(message: Uint8Array): string {
  const [start, out] = unit.place(message, 32) as [number, number];
  unit.call.sha256!(start, message.length, out);
  return unit.bytes(out, 32).toString("hex");
}

function sha512(message: Uint8Array): string {
  const [start, out] = unit.place(message, 64) as [number, number];
  unit.call.sha512!(start, message.length, out);
  return unit.bytes(out, 64).toString("hex");
}

function hmac(key: Uint8Array, message: Uint8Array): string {
  const [keyStart, state, start, out] = unit.place(key, 64, message, 32) as [number, number, number, number];
  unit.call.hmacKey!(keyStart, key.length, state);
  unit.call.hmac!(state, start, message.length, out);
  return unit.bytes(out, 32).toString("hex");
}

/** Runs `sha256Many` or, with a key, `hmacMany`. */
function many(messages: Uint8Array[], key: Uint8Array | null): string[] {
  const count = messages.length;
  const [keyStart, state, records, ...starts] = unit.place(key ?? 0, 64, 12 * count, ...messages, 32 * count) as [number, number, number, ...number[]];
  const outs = starts.pop()!;
  const view = unit.view();
  messages.forEach((message, i) => {
    view.setUint32(records + 12 * i, starts[i]!, true);
    view.setInt32(records + 12 * i + 4, message.length, true);
    view.setUint32(records + 12 * i + 8, outs + 32 * i, true);
  });
  if (key === null) unit.call.sha256Many!(records, count);
  else {
    unit.call.hmacKey!(keyStart, key.length, state);
    unit.call.hmacMany!(state, records, count);
  }
  return messages.map((_, i) => unit.bytes(outs + 32 * i, 32).toString("hex"));
}

const nodeHash = (name: string, message: Uint8Array) => createHash(name).update(message).digest("hex");
const nodeHmac = (key: Uint8Array, message: Uint8Array) => createHmac("sha256", key).update(message).digest("hex");

describe("SHA-256", () => {
  it("answers FIPS 180-4's examples", () => {
    expect(sha256(Buffer.from("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(sha256(Buffer.from(""))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256(Buffer.from("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))).toBe("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  });

  it("agrees with node:crypto on every length up to 300", () => {
    const bytes = new Random(1).bytes(300);
    for (let length = 0; length <= 300; length++) expect(sha256(bytes.subarray(0, length))).toBe(nodeHash("sha256", bytes.subarray(0, length)));
  });

  it("gives the same digest in however many pieces", () => {
    const random = new Random();
    for (let round = 0; round < 200; round++) {
      const message = random.bytes(random.below(1000));
      const [start, state, out] = unit.place(message, 104, 32) as [number, number, number];
      unit.call.sha256Begin!(state);
      for (let at = 0; at < message.length; ) {
        const piece = Math.min(random.below(200), message.length - at);
        unit.call.sha256Update!(state, start + at, piece);
        at += piece;
      }
      unit.call.sha256End!(state, out);
      expect(unit.bytes(out, 32).toString("hex"), `SEED=${random.seed}`).toBe(nodeHash("sha256", message));
    }
  });

  it("digests several messages of different lengths side by side", () => {
    const random = new Random();
    for (let round = 0; round < 200; round++) {
      const messages = Array.from({ length: random.below(10) }, () => random.bytes(random.below(random.of([1, 60, 70, 300, 2000]))));
      expect(many(messages, null), `SEED=${random.seed}`).toEqual(messages.map((message) => nodeHash("sha256", message)));
    }
  });
});

describeShared("SHA-256, NIST's vectors", () => {
  it("short and long messages", () => {
    for (const { msg, md } of json("vectors/nist-sha256/sha256.json")) expect(sha256(hex(msg))).toBe(md);
  });

  it("Monte Carlo", () => {
    const text = readFileSync(shared("vectors/nist-sha256/SHA256Monte.txt"), "utf8");
    let seed = hex(/^Seed = (\w+)/m.exec(text)![1]!);
    const checkpoints = [...text.matchAll(/^MD = (\w+)/gm)].map((match) => match[1]);
    expect(checkpoints.length).toBe(100);
    for (const checkpoint of checkpoints) {
      let [a, b, c] = [seed, seed, seed];
      for (let i = 0; i < 1000; i++) [a, b, c] = [b, c, hex(sha256(Buffer.concat([a, b, c])))];
      seed = c;
      expect(seed.toString("hex")).toBe(checkpoint);
    }
  });
});

describe("SHA-512", () => {
  it("agrees with node:crypto on every length up to 600", () => {
    const bytes = new Random(2).bytes(600);
    for (let length = 0; length <= 600; length++) expect(sha512(bytes.subarray(0, length))).toBe(nodeHash("sha512", bytes.subarray(0, length)));
  });
});

describe("HMAC-SHA-256", () => {
  it("answers RFC 4231", () => {
    expect(hmac(Buffer.alloc(20, 0x0b), Buffer.from("Hi There"))).toBe("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    expect(hmac(Buffer.from("Jefe"), Buffer.from("what do ya want for nothing?"))).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    expect(hmac(Buffer.alloc(20, 0xaa), Buffer.alloc(50, 0xdd))).toBe("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    expect(hmac(Buffer.alloc(131, 0xaa), Buffer.from("Test Using Larger Than Block-Size Key - Hash Key First"))).toBe("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  });

  it("agrees with node:crypto, alone and side by side", () => {
    const random = new Random();
    for (let round = 0; round < 200; round++) {
      const key = random.bytes(random.below(140));
      const messages = Array.from({ length: 1 + random.below(9) }, () => random.bytes(random.below(random.of([1, 60, 70, 300, 2000]))));
      const expected = messages.map((message) => nodeHmac(key, message));
      expect(many(messages, key), `SEED=${random.seed}`).toEqual(expected);
      expect(hmac(key, messages[0]!), `SEED=${random.seed}`).toBe(expected[0]);
    }
  });
});

describeShared("HMAC-SHA-256, published vectors", () => {
  it("RFC 4231", () => {
    const vectors = json("vectors/hmac-rfc4231/rfc4231.json");
    expect(vectors.length).toBe(6);
    for (const { key, msg, md } of vectors) expect(hmac(hex(key), hex(msg)).slice(0, md.length)).toBe(md);
  });

  it("Wycheproof", () => {
    let tests = 0;
    for (const group of json("vectors/wycheproof/hmac_sha256_test.json").testGroups) {
      for (const test of group.tests) {
        const tag = hmac(hex(test.key), hex(test.msg)).slice(0, group.tagSize / 4);
        expect(tag === test.tag ? "valid" : "invalid", `tcId ${test.tcId}`).toBe(test.result);
        tests++;
      }
    }
    expect(tests).toBe(174);
  });
});

function encode(bytes: Uint8Array, padded: boolean): string {
  const [start] = unit.place(bytes) as [number];
  const span = BigInt(unit.call.encode!(start, bytes.length, padded ? 1 : 0));
  return unit.bytes(Number(span >> 32n), Number(span & 0xffffffffn)).toString("latin1");
}

function decode(text: string | Uint8Array, padded: boolean): Buffer | null {
  const letters = typeof text === "string" ? Buffer.from(text) : text;
  const [start, out] = unit.place(letters, letters.length + 8) as [number, number];
  const length = (padded ? unit.call.readBase64! : unit.call.readBase64url!)(start, letters.length, out);
  return length < 0 ? null : unit.bytes(out, length);
}

describe("base64", () => {
  it("prints and reads what node prints", () => {
    const random = new Random();
    for (let length = 0; length < 200; length++) {
      const bytes = random.bytes(length);
      expect(encode(bytes, false)).toBe(bytes.toString("base64url"));
      expect(encode(bytes, true)).toBe(bytes.toString("base64"));
      expect(decode(bytes.toString("base64url"), false)).toEqual(bytes);
      expect(decode(bytes.toString("base64"), true)).toEqual(bytes);
    }
  });

  it("refuses everything that node would not print", () => {
    for (const text of ["A", "AAAAA", "AA==", "AAA=", "AB", "AAB", "A+AA", "A/AA", "AA AA", "AA\nAA", "AA\0A", "AAAé", "=", "AA="]) expect(decode(text, false), text).toBeNull();
    for (const text of ["A", "AA", "AAA", "AA=", "AB==", "AAB=", "A-AA", "A_AA", "A===", "====", "=", "AA==AAAA", "AAA=AAA=", "AA A", "AAé"]) expect(decode(text, true), text).toBeNull();
    const random = new Random();
    for (let round = 0; round < 20000; round++) {
      const padded = random.below(2) === 1;
      const form = padded ? "base64" : "base64url";
      const letters = Buffer.from(random.bytes(random.below(9)).toString(form));
      if (letters.length > 0) letters[random.below(letters.length)] = random.below(256);
      const text = letters.toString("latin1");
      const read = Buffer.from(text, form);
      expect(decode(letters, padded), `SEED=${random.seed} ${JSON.stringify(text)}`).toEqual(read.toString(form) === text ? read : null);
    }
  });
});

describe("constant-time comparison", () => {
  it("sees a difference in any bit", () => {
    for (let bit = -1; bit < 256; bit++) {
      const changed = Buffer.alloc(32, 0x5a);
      if (bit >= 0) changed[bit >> 3]! ^= 1 << (bit & 7);
      const [a, b] = unit.place(Buffer.alloc(32, 0x5a), changed) as [number, number];
      expect(unit.call.constantTimeEqual!(a, b, 32)).toBe(bit < 0 ? 1 : 0);
    }
  });
});
