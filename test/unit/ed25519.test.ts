// Tests Ed25519: the field, the scalars, signing and strict verification, against RFC 8032, sign.input, Wycheproof, speccheck and node:crypto.

import { createPrivateKey, createPublicKey, sign as nodeSign, verify as nodeVerify } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeShared, shared } from "../vectors/shared";
import { Unit } from "./instance";
import { Random } from "./random";

const unit = new Unit("ed25519");
const hex = (text: string) => Buffer.from(text, "hex");
const json = (path: string) => JSON.parse(readFileSync(shared(path), "utf8"));

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const FIELD = 40;

function number(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function little(value: bigint, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i++) bytes[i] = Number((value >> BigInt(8 * i)) & 255n);
  return bytes;
}

function publicKey(seed: Uint8Array): Buffer {
  const [start, out] = unit.place(seed, 32) as [number, number];
  unit.call.publicKey!(start, out);
  return unit.bytes(out, 32);
}

function sign(seed: Uint8Array, message: Uint8Array): Buffer {
  const [start, key, from, out] = unit.place(seed, 96, message, 64) as [number, number, number, number];
  unit.call.expandSeed!(start, key);
  unit.call.sign!(key, from, message.length, out);
  return unit.bytes(out, 64);
}

/** The verdict, asked both ways: with the key as it is, and expanded. */
function verify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const [start, expanded, from, at] = unit.place(key, 5152, message, signature) as [number, number, number, number];
  const once = unit.call.verify!(start, from, message.length, at) !== 0;
  const again = unit.call.expandPublicKey!(start, expanded) !== 0 && unit.call.verifyExpanded!(expanded, from, message.length, at) !== 0;
  if (once !== again) throw new Error("verify and verifyExpanded differ");
  return once;
}

const privateKey = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([hex("302e020100300506032b657004220420"), seed]), format: "der", type: "pkcs8" });
const publicOf = (key: Uint8Array) => createPublicKey({ key: Buffer.concat([hex("302a300506032b6570032100"), key]), format: "der", type: "spki" });

/** RFC 8032 section 7.1: seed, public key, message, signature. */
const RFC_8032 = [
  [
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "",
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  ],
  [
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "72",
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  ],
  [
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    "af82",
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
  ],
] as const;

describe("the field", () => {
  /** Values whose limbs are all at an end of their range, and random ones. */
  function samples(random: Random): Buffer[] {
    const edges = [0n, 1n, 2n, 18n, 19n, P - 1n, P - 2n, (P - 1n) / 2n, 2n ** 254n, 2n ** 255n - 1n, P, P + 1n].map((value) => little(value, 32));
    return [...edges, ...Array.from({ length: 40 }, () => random.bytes(32))];
  }
  const value = (bytes: Uint8Array) => (number(bytes) & (2n ** 255n - 1n)) % P;

  it("multiplies, squares and inverts", () => {
    const random = new Random();
    const all = samples(random);
    for (const a of all) {
      for (const b of all) {
        const [aAt, bAt, x, y, out] = unit.place(a, b, FIELD, FIELD, 32) as [number, number, number, number, number];
        unit.call.fromBytes!(x, aAt);
        unit.call.fromBytes!(y, bAt);
        unit.call.multiply!(y, x, y);
        unit.call.toBytes!(out, y);
        expect(number(unit.bytes(out, 32)), `SEED=${random.seed}`).toBe((value(a) * value(b)) % P);
      }
      const [aAt, x, y, out] = unit.place(a, FIELD, FIELD, 32) as [number, number, number, number];
      unit.call.fromBytes!(x, aAt);
      unit.call.square!(y, x);
      unit.call.toBytes!(out, y);
      expect(number(unit.bytes(out, 32))).toBe((value(a) * value(a)) % P);
      unit.call.invert!(y, x);
      unit.call.toBytes!(out, y);
      expect((number(unit.bytes(out, 32)) * value(a)) % P).toBe(value(a) === 0n ? 0n : 1n);
    }
  });

  it("reads factors whose limbs are uncarried sums, of either sign", () => {
    const weights = [0, 26, 51, 77, 102, 128, 153, 179, 204, 230].map((bit) => 1n << BigInt(bit));
    const random = new Random();
    for (let round = 0; round < 2000; round++) {
      const limbs = [0, 1].map((which) => weights.map((_, i) => {
        const most = (i % 2 === 0 ? 0x4000001 : 0x2000001) * (which === 0 ? 3 : 5);
        return random.below(4) === 0 ? (random.below(2) ? most : -most) : random.below(2 * most) - most;
      }));
      const [x, y, out] = unit.place(FIELD, FIELD, 32) as [number, number, number];
      limbs.forEach((list, which) => list.forEach((limb, i) => unit.view().setInt32((which === 0 ? x : y) + 4 * i, limb, true)));
      const [a, b] = limbs.map((list) => list.reduce((sum, limb, i) => sum + BigInt(limb) * weights[i]!, 0n)) as [bigint, bigint];
      unit.call.toBytes!(out, y);
      expect(number(unit.bytes(out, 32)), `SEED=${random.seed}`).toBe(((b % P) + P) % P);
      unit.call.multiply!(y, x, y);
      unit.call.toBytes!(out, y);
      expect(number(unit.bytes(out, 32)), `SEED=${random.seed}`).toBe((((a * b) % P) + P) % P);
    }
  });
});

describe("the scalars", () => {
  const edges = [0n, 1n, L - 1n, L, L + 1n, 2n * L, 2n ** 252n, 2n ** 252n - 1n, 2n ** 253n, 2n ** 256n - 1n, 2n ** 28n - 1n];

  it("reduce, multiply and add modulo L", () => {
    const random = new Random();
    const wide = [...edges, 2n ** 512n - 1n, L * L, L * L - 1n, L << 259n].map((value) => little(value, 64));
    for (let i = 0; i < 2000; i++) wide.push(random.bytes(64));
    for (const bytes of wide) {
      const [from, out] = unit.place(bytes, 32) as [number, number];
      unit.call.reduce!(out, from);
      expect(number(unit.bytes(out, 32)), `SEED=${random.seed}`).toBe(number(bytes) % L);
    }
    const pick = () => (random.below(3) === 0 ? little(random.of(edges), 32) : random.bytes(32));
    for (let i = 0; i < 2000; i++) {
      const [a, b, c] = [pick(), pick(), pick()];
      const [aAt, bAt, cAt, out] = unit.place(a, b, c, 32) as [number, number, number, number];
      unit.call.multiplyAdd!(out, aAt, bAt, cAt);
      expect(number(unit.bytes(out, 32)), `SEED=${random.seed}`).toBe((number(a) * number(b) + number(c)) % L);
    }
  });

  it("tell whether they are below L", () => {
    for (const value of [...edges, L - (1n << 64n), L + (1n << 64n), L + (1n << 128n), L - (1n << 128n)]) {
      const [at] = unit.place(little(value, 32)) as [number];
      expect(unit.call.isReduced!(at) !== 0, value.toString(16)).toBe(value < L);
    }
  });

  it("fall into digits that sum up to them", () => {
    const random = new Random();
    const values = [...edges.map((edge) => little(edge & (2n ** 255n - 1n), 32)), ...Array.from({ length: 500 }, () => little(number(random.bytes(32)) >> 1n, 32))];
    for (const bytes of values) {
      const [from, out] = unit.place(bytes, 300) as [number, number];
      unit.call.digits16!(out, from);
      const digits = [...new Int8Array(unit.bytes(out, 64))];
      expect(digits.reduceRight((sum, digit) => sum * 16n + BigInt(digit), 0n), `SEED=${random.seed}`).toBe(number(bytes));
      expect(Math.max(...digits.map(Math.abs))).toBeLessThanOrEqual(8);
      for (const [first, bits, width] of [[0, 256, 5], [0, 64, 7], [64, 64, 7], [128, 64, 5], [192, 64, 7]] as const) {
        unit.call.windowDigits!(out, from, first, bits, width);
        const window = [...new Int8Array(unit.bytes(out, bits + 1))];
        expect(window.reduceRight((sum, digit) => sum * 2n + BigInt(digit), 0n), `SEED=${random.seed}`).toBe((number(bytes) >> BigInt(first)) & (2n ** BigInt(bits) - 1n));
        for (const digit of window) if (digit !== 0) expect(Math.abs(digit) < 2 ** (width - 1) && digit % 2 !== 0).toBe(true);
      }
    }
  });
});

describe("Ed25519", () => {
  it("answers RFC 8032 section 7.1", () => {
    for (const [seed, key, message, signature] of RFC_8032) {
      expect(publicKey(hex(seed)).toString("hex")).toBe(key);
      expect(sign(hex(seed), hex(message)).toString("hex")).toBe(signature);
      expect(verify(hex(key), hex(message), hex(signature))).toBe(true);
    }
  });

  it("agrees with node:crypto on random keys and messages, and refuses every changed bit it is shown", () => {
    const random = new Random();
    for (let round = 0; round < 60; round++) {
      const seed = random.bytes(32);
      const message = random.bytes(random.below(700));
      const key = publicKey(seed);
      const signature = sign(seed, message);
      const note = `SEED=${random.seed} round ${round}`;
      expect(signature.toString("hex"), note).toBe(nodeSign(null, message, privateKey(seed)).toString("hex"));
      expect(nodeVerify(null, message, publicOf(key), signature), note).toBe(true);
      expect(verify(key, message, signature), note).toBe(true);
      for (const part of [key, message, signature]) {
        if (part.length === 0) continue;
        const bit = random.below(part.length * 8);
        part[bit >> 3]! ^= 1 << (bit & 7);
        expect(verify(key, message, signature), `${note} bit ${bit}`).toBe(false);
        part[bit >> 3]! ^= 1 << (bit & 7);
      }
    }
  });

  it("refuses S + L, small order and encodings that are not canonical", () => {
    const [seed, key, message, signature] = RFC_8032[2].map(hex) as [Buffer, Buffer, Buffer, Buffer];
    const shifted = Buffer.concat([signature.subarray(0, 32), little(number(signature.subarray(32)) + L, 32)]);
    expect(verify(key, message, shifted)).toBe(false);
    expect(sign(seed, message).equals(signature)).toBe(true);
    // The eight points of small order, and every other encoding of them: y above p, the sign of x = 0.
    const small: Buffer[] = [];
    const order8 = number(hex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"));
    for (const y of [0n, 1n, P - 1n, order8, P - order8]) {
      for (const twin of [y, y + P].filter((value) => value < 2n ** 255n)) for (const sign of [0n, 1n]) small.push(little(twin | (sign << 255n), 32));
    }
    for (const point of small) {
      const none = Buffer.concat([point, Buffer.alloc(32)]);
      expect(verify(point, message, none), point.toString("hex")).toBe(false);
      expect(verify(key, message, none), point.toString("hex")).toBe(false);
      for (const other of small) expect(verify(other, message, none)).toBe(false);
    }
  });

  it("expands a seed into a clamped scalar and its own public key", () => {
    const seed = hex(RFC_8032[0][0]);
    const [start, key] = unit.place(seed, 96) as [number, number];
    unit.call.expandSeed!(start, key);
    const expanded = unit.bytes(key, 96);
    expect(expanded.subarray(64).toString("hex")).toBe(RFC_8032[0][1]);
    expect(expanded[0]! & 7).toBe(0);
    expect(expanded[31]! & 0xc0).toBe(0x40);
  });
});

describeShared("Ed25519, published vectors", () => {
  it("RFC 8032 section 7.1, all five", () => {
    const vectors = json("vectors/ed25519-rfc8032/rfc8032-7.1.json");
    expect(vectors.length).toBe(5);
    for (const { seed, public: key, message, signature } of vectors) {
      expect(publicKey(hex(seed)).toString("hex")).toBe(key);
      expect(sign(hex(seed), hex(message)).toString("hex")).toBe(signature);
      expect(verify(hex(key), hex(message), hex(signature))).toBe(true);
    }
  });

  it("the 1,024 lines of sign.input", () => {
    const lines = readFileSync(shared("vectors/ed25519-rfc8032/sign.input"), "utf8").trim().split("\n");
    expect(lines.length).toBe(1024);
    for (const line of lines) {
      const [secret, key, text, signed] = line.split(":") as [string, string, string, string];
      const message = hex(text);
      const signature = sign(hex(secret.slice(0, 64)), message);
      expect(signature.toString("hex") + text).toBe(signed);
      expect(verify(hex(key), message, signature)).toBe(true);
    }
  });

  it("Wycheproof", () => {
    let tests = 0;
    for (const group of json("vectors/wycheproof/ed25519_test.json").testGroups) {
      for (const test of group.tests) {
        // A signature of another length is refused by whoever reads the token, before this room sees it.
        const signature = hex(test.sig);
        const valid = signature.length === 64 && verify(hex(group.publicKey.pk), hex(test.msg), signature);
        expect(valid ? "valid" : "invalid", `tcId ${test.tcId}`).toBe(test.result);
        tests++;
      }
    }
    expect(tests).toBe(151);
  });

  it("speccheck, by chapter 1", () => {
    const verdicts: [boolean, string][] = [
      [false, "A and R of small order"],
      [false, "A of small order"],
      [false, "R of small order"],
      [true, "A and R of mixed order; the equation holds without the cofactor"],
      [false, "holds only with the cofactor"],
      [false, "holds only with the cofactor, whichever way it is multiplied in"],
      [false, "S above L"],
      [false, "S far above L"],
      [false, "R of small order, not canonical"],
      [false, "R of small order, not canonical, reduced before hashing"],
      [false, "A of small order, not canonical"],
      [false, "A of small order, not canonical, reduced before hashing"],
    ];
    const cases = json("vectors/ed25519-speccheck/cases.json");
    expect(cases.length).toBe(verdicts.length);
    cases.forEach((test: { message: string; pub_key: string; signature: string }, i: number) => {
      expect(verify(hex(test.pub_key), hex(test.message), hex(test.signature)), `case ${i}: ${verdicts[i]![1]}`).toBe(verdicts[i]![0]);
    });
  });
});
