// Tests what counts as a destination (chapter 5): a table of readings, names like files, whole addresses, and hostile texts.

import { describe, expect, it } from "vitest";
import { find, unit } from "./destinations-found";
import { Random } from "./random";

function holds(text: string): boolean {
  const bytes = Buffer.from(text);
  const [start] = unit.place(bytes) as [number];
  return unit.call.holds!(start, bytes.length) !== 0;
}

function isWhole(text: string): boolean {
  const bytes = Buffer.from(text);
  const [start] = unit.place(bytes) as [number];
  return unit.call.isWholeAddress!(start, bytes.length) !== 0;
}

/** Texts and what is found in them. */
const TABLE: Record<string, [string, ...string[]][]> = {
  url: [
    ["https://example.com/a?b=c#d", "url https://example.com/a?b=c#d"],
    ["see https://example.com/a, or (http://b.example).", "url https://example.com/a", "url http://b.example"],
    ["x9+y.z-w://anything", "url x9+y.z-w://anything"],
    ["12https://a", "url https://a"],
    ["file:///etc/hosts", "url file:///etc/hosts"],
    ["//files/share", "url //files/share"],
    ["  //files/share", "url //files/share"],
    ["a //files/share"],
    ["// a comment"],
    ["///files"],
    ["MailTo:a", "url MailTo:a"],
    ["tel:+55-11", "url tel:+55-11"],
    ["http:\\\\a", "url http:\\\\a"],
    ["http:/a http:b", "url http:/a", "url http:b"],
    ["feed:https://a", "url feed:https://a"],
    ["note:https://a", "url https://a"],
    ["data:text/plain,x", "url data:text/plain,x"],
    ["javascript:alert(1)", "url javascript:alert(1"],
    ["mailto:"], ["https://"], ["https://..."], ["http:/"], ["note: call back"], ["10:30"], ["/a/b~1c"], ["C:"], ["C:\\Users\\x"], ["hotel:5"], ["metadata:5"],
  ],
  email: [
    ["a@b.co", "email a@b.co"],
    ["Ana <ana@example.com>, bob@b.example;", "email ana@example.com", "email bob@b.example"],
    ["a@localhost", "email a@localhost"],
    ["a@[192.0.2.1] a@[IPv6:::1]", "email a@[192.0.2.1", "email a@[IPv6:::1"],
    ["a@192.0.2.1", "email a@192.0.2.1"],
    ['"a b@c.example"@d.example', 'email "a b@c.example"@d.example'],
    ['"a\\"b"@d.example', 'email "a\\"b"@d.example'],
    ["josé@exämple.com", "email josé@exämple.com"],
    ["a@b.com@cc.com", "email b.com@cc.com"],
    ["me@4.5.6a", "email me@4.5.6a"],
    ["@ana"], ["4411@"], ["a @ b"], ["a@b"], ["lodash@4.17.21"], ["@"], ["a@."],
  ],
  ip: [
    ["192.0.2.1", "ip 192.0.2.1"],
    ["at 192.0.2.1:80.", "ip 192.0.2.1:80"],
    ["10.0.0.1-10.0.0.9", "ip 10.0.0.1", "ip 10.0.0.9"],
    ["version 1.2.3.4", "ip 1.2.3.4"],
    ["2001:db8::1", "ip 2001:db8::1"],
    ["ip:2001:db8::1.", "ip 2001:db8::1"],
    ["fe80::1%eth0 fe80::1%25eth0", "ip fe80::1%eth0", "ip fe80::1%25eth0"],
    ["[2001:db8::1]:80", "ip [2001:db8::1]:80"],
    ["::ffff:192.0.2.1", "ip ::ffff:192.0.2.1"],
    ["1:2:3:4:5:6:7:8", "ip 1:2:3:4:5:6:7:8"],
    ["2130706433:80 0x7f000001:80 017700000001:80 0x7f.1:80 127.1:80", "ip 2130706433:80", "ip 0x7f000001:80", "ip 017700000001:80", "ip 0x7f.1:80", "ip 127.1:80"],
    ["1.2.3"], ["10.0.0.1.5"], ["2024-01-02"], ["01.02.2024"], ["2130706433"], ["0x7f000001"], ["256.1.1.1"], ["v10.0.0.1-rc2"], ["12:34:56:78"], ["00:1A:2B:3C:4D:5E"], ["::"], ["std::vector"], ["1:2:3:4:5:6:7"], ["4411.20:80"], ["10.0.0.300:80"],
  ],
  host: [
    ["example.com", "host example.com"],
    ["go to example.com.", "host example.com"],
    ["EXAMPLE.COM:443/x", "host EXAMPLE.COM:443"],
    ["www.example.com/path", "host www.example.com"],
    ["printer.local db.internal a.test b.onion", "host printer.local", "host db.internal", "host a.test", "host b.onion"],
    ["localhost", "host localhost"],
    ["localhost:3000", "host localhost:3000"],
    ["пример.рф ПРИМЕР.РФ xn--e1afmkfd.xn--p1ai", "host пример.рф", "host ПРИМЕР.РФ", "host xn--e1afmkfd.xn--p1ai"],
    ["例え。com", "host 例え。com"],
    ["访问evil.com谢谢", "host 访问evil.com"],
    ["evil.com…", "host evil.com"],
    ["evil.com-", "host evil.com"],
    ["evil.com..", "host evil.com"],
    ["main.rs/x", "host main.rs"],
    ["main.rs:80", "host main.rs:80"],
    ["www.main.rs", "host www.main.rs"],
    ["4411.20"], ["Dr.Silva"], ["main.rs"], ["readme.md"], ["run.sh"], ["notes.zip"], ["setup.py"], ["app.ts"], ["src/main.rs"], ["System.Text.Json"], ["e.g. this"], ["mylocalhost"], [".com"], ["a..com"],
  ],
  unc: [
    ["\\\\host\\share\\x", "unc \\\\host\\share\\x"],
    ["copy \\\\host\\share", "unc \\\\host\\share"],
    ["\\\\?\\UNC\\host\\share", "unc \\\\?\\UNC\\host\\share"],
    ["\\\\n in text"], ["a\\\\n\\\\n"], ["\\\\\\\\host\\\\share", "unc \\\\\\\\host\\\\share"],
    ["\\\\host"], ["\\\\host\\"],
  ],
  reading: [
    ["https://exa\u200bm\u00adple.com", "url https://exa\u200bm\u00adple.com"],
    ["exam\u200bple.com", "host exam\u200bple.com"],
    ["ｅｘａｍｐｌｅ．ｃｏｍ", "host ｅｘａｍｐｌｅ．ｃｏｍ"],
    ["a＠b．co", "email a＠b．co"],
    ["https：／／a", "url https：／／a"],
    ["https%3A%2F%2Fa%2eb", "url https%3A%2F%2Fa%2eb"],
    ["a%2540b.com", "host 40b.com"],
    ["exam\nple.com", "host exam\nple.com"],
    ["evil.com\nThanks", "host evil.com"],
    ["IP:192.0.2.1\nAPI", "ip 192.0.2.1"],
    ["h\tt\ntp://a", "url h\tt\ntp://a"],
    ["a@b.com\u00a0c@d.com", "email a@b.com", "email c@d.com"],
    ["https://a/%20b", "url https://a/"],
    ["\u200bexample.com\u200b", "host example.com"],
  ],
};

for (const [kind, rows] of Object.entries(TABLE)) {
  describe(`chapter 5, ${kind}`, () => {
    for (const [text, ...found] of rows) {
      it(JSON.stringify(text), () => {
        expect(find(text)).toEqual(found);
        expect(holds(text)).toBe(found.length > 0);
      });
    }
  });
}

describe("a name like a file's", () => {
  it("counts as the whole of an argument named like a host", () => {
    for (const name of ["host", "domain", "server", "url", "to", "TO"]) expect(find(" main.rs ", name)).toEqual(["host main.rs"]);
    for (const name of ["file", "hosts", ""]) expect(find("main.rs", name)).toEqual([]);
    expect(find("see main.rs", "host")).toEqual([]);
    expect(find("main.rs see", "host")).toEqual([]);
  });
});

describe("one address or host, whole", () => {
  it("is what a subject argument may hold", () => {
    for (const text of ["ana@example.com", "example.com", "example.com:80", "josé@exämple.com", "a@[192.0.2.1]", '"a b"@c.example', "localhost"]) expect(isWhole(text), text).toBe(true);
    for (const text of ["", "ana", " ana@example.com", "ana@example.com ", "ana@example.com,b@c.com", "https://example.com", "192.0.2.1", "mailto:ana@example.com", "example.com/x", "<ana@example.com>", "ana@example.com>", "ana@example.com\nb@c.com"]) expect(isWhole(text), text).toBe(false);
  });
});

describe("texts made to be slow", () => {
  // Each would take minutes at a cost that grows with the square of its length.
  const patterns = ["a.", "a.a@", "a@b.c", "a@b.com@", '"@a.b', '\\"@', "tel:", "aaaa:", "::1:", "1:1::", ".com.", "a.com谢", "\\\\h\\s|", "%25", "\u200b", "1.2.3.4-", "0x1.0x1:80 ", "@[aaaa", "a.rs ", "localhost", "a\nb.com ", "fe80::1%a"];
  it("are read to their end, with findings in order that do not overlap", () => {
    for (const pattern of patterns) {
      const text = pattern.repeat(Math.ceil(65536 / pattern.length));
      const bytes = Buffer.from(text);
      const [start] = unit.place(bytes) as [number];
      const lines = BigInt.asUintN(64, BigInt(unit.call.find!(start, bytes.length, 0, 0)));
      let end = 0;
      for (const line of unit.bytes(Number(lines >> 32n), Number(lines & 0xffffffffn)).toString().split("\n").slice(0, -1)) {
        const [, begin, length] = line.split(" ").map(Number) as [number, number, number];
        expect(begin, pattern).toBeGreaterThanOrEqual(end);
        expect(length).toBeGreaterThan(0);
        end = begin + length;
      }
      expect(end).toBeLessThanOrEqual(bytes.length);
    }
  });

  it("random pieces: findings lie in the text, in order, apart, and a yes is never lost by what stands around", () => {
    const random = new Random();
    const pieces = ["a", "bob", "evil.com", ".", "@", "://", "/", ":", ":80", "\\\\", "\\", "localhost", "main.rs", "1.2.3.4", "::1", "0x7f", "[", "]", "<", '"', " ", "%2e", "%", "＠", "\u200b", "é", "谢", ".рф", "🎉", "\n", "tel:", "http:", "-", "_"];
    for (let round = 0; round < 4000; round++) {
      const text = Array.from({ length: 1 + random.below(9) }, () => random.of(pieces)).join("");
      const found = find(text);
      expect(holds(text), `SEED=${random.seed} ${JSON.stringify(text)}`).toBe(found.length > 0);
      if (found.length > 0) expect(find(`${text} x`).length, `SEED=${random.seed} ${JSON.stringify(text)}`).toBeGreaterThan(0);
    }
  });
});
