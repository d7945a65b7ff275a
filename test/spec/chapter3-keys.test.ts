// Chapters 1 and 3: which key sets load, rotation, keys that only verify, previews.

import { describe, expect, it } from "vitest";
import type { Json } from "./core.ts";
import * as f from "./formulas.ts";
import { SHOP, Session, keySet, okp, oct, said, three, without } from "./world.ts";

describe("keys", () => {
  const e = okp("e");
  it("rotation: an old key that stays verifies, one taken out does not", () => {
    const s = three();
    s.useKeys(keySet({ active: "k2", keys: [oct("k1", 7), oct("k2", 8)] }));
    expect(said(s.check("get_order", { order_id: "1" }))).toBe("allow allow");
    expect(s.history.entries[3].token.startsWith("k2.")).toBe(true);
    expect(s.verify().valid).toBe(true);
    s.useKeys(keySet({ active: "k2", keys: [oct("k2", 8)] }));
    expect(s.verify()).toEqual({ valid: false });
  });

  it("a confirmation of the old key is good after rotation", () => {
    const s = new Session();
    const asked = s.check("ping");
    s.useKeys(keySet({ active: "k2", keys: [oct("k1", 7), oct("k2", 8)] }));
    expect(said(s.check("ping", {}, { confirmation: asked.confirmation }))).toBe("allow confirmed");
  });

  it("a key of use approve does not verify entries", () => {
    const s = three();
    s.useKeys(keySet({ active: "k2", keys: [oct("k1", 7, { use: "approve" }), oct("k2", 8)] }));
    expect(s.verify()).toEqual({ valid: false });
  });

  it("a public Ed25519 key verifies old entries", () => {
    const s = three({ keys: keySet({ active: "e", keys: [e] }) });
    s.useKeys(keySet({ active: "k2", keys: [without(e, "d"), oct("k2", 8)] }));
    expect(s.verify().valid).toBe(true);
  });

  it("a set without active only verifies: check is keys_cannot_sign", () => {
    const s = three({ keys: keySet({ active: "e", keys: [e] }) });
    s.useKeys(without(keySet({ keys: [without(e, "d")] }), "active"));
    expect(s.verify()).toEqual({ valid: true, head: s.head() });
    expect(s.ask("get_order", { order_id: "1" }).error.code).toBe("keys_cannot_sign");
    expect(s.receipt("get_order", { order_id: "2" }).reason).toBe("receipt");
  });

  it("entries of a new kind of key under one kid do not verify by the other algorithm", () => {
    const s = three({ keys: keySet({ active: "k1", keys: [okp("k1")] }) });
    s.useKeys(keySet());
    expect(s.verify()).toEqual({ valid: false });
  });

  it("a preview decides, signs nothing, and its entries verify only in a preview", () => {
    const preview = without(keySet({ preview: true }), "active");
    const s = new Session(SHOP, preview);
    s.check("get_order", { order_id: "1" });
    const asked = s.check("ping");
    expect([said(asked), asked.confirmation, asked.entry.token]).toEqual(["confirm write", null, null]);
    expect(s.verify()).toEqual({ valid: true, head: s.head() });
    expect(s.receipt("get_order", { order_id: "1" }, { step: 0 })).toEqual({ format: "qls-tool-receipt/1", decision: "refuse", reason: "history_invalid" });
    s.useKeys(keySet());
    expect(s.verify()).toEqual({ valid: false });
    expect(said(s.peek("get_order", { order_id: "1" }))).toBe("refuse history_invalid");
  });

  it("a preview goes on from signed entries, and a signed confirmation covers in it", () => {
    const s = three();
    const asked = s.check("ping");
    s.useKeys(without(keySet({ preview: true }), "active"));
    const answer = s.check("ping", {}, { confirmation: asked.confirmation });
    expect([said(answer), answer.entry.token]).toEqual(["allow confirmed", null]);
    expect(s.verify().valid).toBe(true);
  });

  const refused: [string, Json][] = [
    ["an unknown member", keySet({ x: 1 })],
    ["an unknown member of a key", keySet({ keys: [oct("k1", 7, { x: 1 })] })],
    ["another format", keySet({ format: "qls-keys/2" })],
    ["neither digest_key nor digests", without(keySet(), "digest_key")],
    ["both digest_key and digests", keySet({ digests: "plain" })],
    ["digests of another word", without(keySet({ digests: "keyed" }), "digest_key")],
    ["a digest_key of 31 bytes", keySet({ digest_key: f.b64u(Buffer.alloc(31, 9)) })],
    ["a digest_key of 33 bytes", keySet({ digest_key: f.b64u(Buffer.alloc(33, 9)) })],
    ["preview and active", keySet({ preview: true })],
    ["active of no key", keySet({ active: "k9" })],
    ["active null", keySet({ active: null })],
    ["active of use approve", keySet({ keys: [oct("k1", 7, { use: "approve" })] })],
    ["active that cannot sign", keySet({ active: "e", keys: [without(e, "d")] })],
    ["a use of another word", keySet({ keys: [oct("k1", 7, { use: "sig" })] })],
    ["a short HS256 key", keySet({ keys: [oct("k1", 7, { k: f.b64u(Buffer.alloc(31, 7)) })] })],
    ["a padded HS256 key", keySet({ keys: [oct("k1", 7, { k: `${f.b64u(Buffer.alloc(32, 7))}=` })] })],
    ["a kid with a dot", keySet({ active: "k.1", keys: [oct("k.1", 7)] })],
    ["a kid of 65 letters", keySet({ active: "k".repeat(65), keys: [oct("k".repeat(65), 7)] })],
    ["an empty kid", keySet({ active: "", keys: [oct("", 7)] })],
    ["one kid twice", keySet({ keys: [oct("k1", 7), oct("k1", 8)] })],
    ["x that is not d's", keySet({ active: "e", keys: [{ ...e, x: okp("e").x }] })],
    ["d without x", keySet({ active: "e", keys: [without(e, "x")] })],
    ["an oct key with EdDSA", keySet({ keys: [oct("k1", 7, { alg: "EdDSA" })] })],
    ["an OKP key of another curve", keySet({ active: "e", keys: [{ ...e, crv: "X25519" }] })],
    ["a licence without expires", keySet({ licence: { id: "l" } })],
    ["a licence that expires in a word", keySet({ licence: { id: "l", expires: "soon" } })],
    ["a licence with another member", keySet({ licence: { id: "l", expires: null, x: 1 } })],
    ["no keys", without(keySet(), "keys")],
    ["not an object", []],
  ];
  it.each(refused)("keys_invalid: %s", (_, keys) => {
    expect(new Session().driver.error({ op: "keys", name: "x", keys }).code).toBe("keys_invalid");
  });
  it.each([
    ["the usual one", keySet(), { active: "k1", preview: false }],
    ["verify only", without(keySet(), "active"), { active: null, preview: false }],
    ["a preview", without(keySet({ preview: true }), "active"), { active: null, preview: true }],
    ["a preview without keys", without(keySet({ preview: true, keys: [] }), "active"), { active: null, preview: true }],
    ["preview false with active", keySet({ preview: false }), { active: "k1", preview: false }],
    ["a licence", keySet({ licence: { id: "l", expires: null } }), { active: "k1", preview: false }],
    ["a long HS256 key", keySet({ keys: [oct("k1", 7, { k: f.b64u(Buffer.alloc(100, 7)) })] }), { active: "k1", preview: false }],
    ["a kid of 64 letters", keySet({ active: "-_".repeat(32), keys: [oct("-_".repeat(32), 7)] }), { active: "-_".repeat(32), preview: false }],
  ])("loads: %s", (_, keys, ok) => {
    expect(new Session().driver.ok({ op: "keys", name: "x", keys })).toEqual(ok);
  });
});
