// Chapter 5, clause by clause: every value in every place of a text, in every spelling that the chapter reads as the same.

import { describe, expect, it } from "vitest";
import { Core } from "./conform-core.ts";

const core = new Core();
const found = (value: string, argument?: string): string[] => core.send("destinations", { value, argument }).ok.map(({ kind, text }: { kind: string; text: string }) => `${kind} ${text}`);

/** What a clause of the table's columns counts, and what stands beside it that it does not. */
interface Clause {
  counts: string[];
  not: string[];
  /** It counts at the start of a text alone. */
  atStart?: boolean;
}

const CLAUSES: Record<string, Record<string, Clause>> = {
  url: {
    "any `scheme://…` with a host or path": { counts: ["https://example.com", "http://a", "foo://bar/x", "svn+ssh://h/x", "x-y.z://h", "file:///etc/x", "s3://bucket/key", "https://u:p@1.2.3.4:80/a.com?b=c.co#d", "http://[::1]/", "http://2130706433/", "http://0x7f.1/", "ldap://[2001:db8::7]/c=GB"], not: ["://", "://x", "https://", "foo://."] },
    "`//host/…` at the start": { counts: ["//host/path", "//example.com", "//h"], not: ["// comment", "a//b", "/ /host"], atStart: true },
    "`mailto:`, `tel:`, `sms:`, `sip:`, `data:`, `javascript:`, `file:`, `ftp:`, `ws:`, `s3:`, `gs:` and the like followed by something": {
      counts: ["mailto:a", "tel:+5511999", "sms:5", "sip:a", "data:text/plain,hi", "javascript:x", "file:x", "ftp:x", "ws:x", "wss:x", "s3:b/k", "gs:b", "sftp:x", "sips:a"],
      not: ["mailto:", "tel:", "sms:", "sip:", "data:", "javascript:", "file:", "ftp:", "ws:", "s3:", "gs:", "tel: 5", "data: x", "mailto:.", "metadata:x", "hotel:5"],
    },
    "`http:` with one slash, none, or back-slashes": { counts: ["http:/a.com", "http:a.com", "http:\\\\a.com", "http:\\a.com", "https:/\\a.com", "https:a"], not: ["http:", "https:", "http: a"] },
    "not: `note: call back`, `10:30`, a JSON pointer, `C:` alone": { counts: [], not: ["note: call back", "note:call", "10:30", "10:30:15", "/a/b/c", "/definitions/x~1y", "/a/0", "C:", "C:\\temp", "Re: hello"] },
  },
  email: {
    "`local@domain` with a dotted domain": { counts: ["a@b.co", "a+b_c.d@sub.b.co", "o'neil@b.co", "a@b.museum", "a@b.notatld", "a@xn--bcher-kva.example"], not: ["a@b", "a@"] },
    "an address literal or `localhost`": { counts: ["a@[1.2.3.4]", "a@[IPv6:::1]", "a@localhost"], not: ["a@[", "a@[]"] },
    "quoted local parts": { counts: ['"a b"@c.co', '"x"@c.co'], not: ['""@'] },
    "an internationalised one": { counts: ["ana@exämple.com", "用户@例子.公司", "josé@b.co"], not: ["用户@例子"] },
    "not: `@ana`, `4411@`, `a @ b`": { counts: [], not: ["@ana", "4411@", "a @ b", "@"] },
  },
  ip: {
    "dotted quad": { counts: ["1.2.3.4", "255.255.255.255", "192.168.0.1", "1.2.3.4:80"], not: ["1.2.3.256", "1.2.3.", "1.2..3.4"] },
    "IPv6 with or without `[]`, zone, mapped v4": { counts: ["::1", "2001:db8::1", "fe80::1%eth0", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8", "[::1]:80", "[fe80::1%eth0]:80"], not: ["1:2:3:4:5:6:7", "12:34:56:78:90:ab", "g::1g"] },
    "before `:port`, also the decimal, octal and hex spellings": { counts: ["2130706433:80", "017700000001:80", "0x7f000001:80", "0x7f.1:80", "127.1:80", "0177.0.0.1:80"], not: ["2130706433", "017700000001", "0x7f000001", "0x7f.1", "127.1", "10:80", "2130706433:99999"] },
    "not: `1.2.3`, `10.0.0.1.5`, a date, a plain integer": { counts: [], not: ["1.2.3", "10.0.0.1.5", "2025-11-29", "29.11.2025", "29/11/2025", "2025.11.29", "4411", "40.00", "1,234.56"] },
  },
  host: {
    "a dotted name of LDH or internationalised labels under a top-level domain": { counts: ["example.com", "sub.example.co.uk", "a-b.com", "1a.com", "bücher.de", "例子.中国", "пример.рф"], not: ["example.notatld", "com", "-.com", "a..com"] },
    "or `localhost`, `local`, `internal`, `invalid`, `test`, `example`, `onion`": { counts: ["localhost", "a.localhost", "a.local", "a.internal", "a.invalid", "a.test", "a.example", "a.onion"], not: ["local", "internal", "invalid", "test", "example", "onion", "mylocalhost"] },
    punycode: { counts: ["xn--bcher-kva.example", "a.xn--p1ai", "xn--e1afmkfd.xn--p1ai"], not: ["xn--bcher-kva", "a.xn--notatld"] },
    "with `:port`": { counts: ["example.com:8080", "localhost:3000", "bücher.de:1"], not: ["name:8080"] },
    "not: `4411.20`, `Dr.Silva`": { counts: [], not: ["4411.20", "Dr.Silva", "e.g. this", "a.b.c.d", "end. Then"] },
    "a usual file extension, but for www., a slash and a port": { counts: ["www.main.rs", "main.rs:80", "notes.zip:1"], not: ["main.rs", "readme.md", "run.sh", "notes.zip", "setup.py", "app.ts", "src/main.rs"] },
  },
  unc: { "`\\\\host\\share`": { counts: ["\\\\host\\share", "\\\\1.2.3.4\\c$", "\\\\host\\share\\a.txt"], not: ["\\\\n in text", "\\n", "\\\\host", "\\\\host\\", "a\\\\b"] } },
};

const TRAILING = [..."., ; : ! ? ) ] } ' \"".replaceAll(" ", "")];
const SKIPPED = ["\t", "\r", "\n", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"];
const isAscii = (c: string) => c > " " && c < "\u007f";
const fullWidth = (c: string) => (isAscii(c) ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c);
const escaped = (c: string) => (isAscii(c) ? `%${c.charCodeAt(0).toString(16).padStart(2, "0")}` : c);

/** A value with each of its characters written in another way, one at a time, and all at once. */
function rewritten(value: string, write: (c: string) => string): string[] {
  const characters = [...value];
  return [...characters.map((c, i) => [...characters.slice(0, i), write(c), ...characters.slice(i + 1)].join("")), characters.map(write).join("")];
}

for (const [kind, clauses] of Object.entries(CLAUSES)) {
  describe(kind, () => {
    for (const [clause, { counts, not, atStart }] of Object.entries(clauses)) {
      const holds = (texts: [text: string, value: string][]) => {
        expect(texts.map(([text]) => [text, found(text)])).toEqual(texts.map(([text, value]) => [text, [`${kind} ${value.replace(/[.,;:!?)\]}'"]+$/, "")}`]]));
      };
      if (counts.length > 0) {
        it(`${clause}: at the start, in the middle, at the end`, () => {
          for (const value of counts) holds([[value, value], [`${value} x`, value], [`  ${value}`, value], ...(atStart ? [] : ([[`x ${value} y`, value], [`x ${value}`, value], [`(${value} x`, value], [`<${value}>`, value]] as [string, string][]))]);
        });
        it(`${clause}: without trailing punctuation`, () => {
          for (const value of counts) holds(TRAILING.flatMap((end): [string, string][] => [[value + end, value], [`${value}${end} x`, value], [`${value}${end}${end})`, value]]));
        });
        it(`${clause}: with each skipped character in each place`, () => {
          for (const value of counts) {
            const places = [...value].map((_, i) => i).slice(1);
            holds(SKIPPED.flatMap((skipped) => places.map((i): [string, string] => { const text = [...value].slice(0, i).join("") + skipped + [...value].slice(i).join(""); return [text, text]; })));
            holds(SKIPPED.flatMap((skipped): [string, string][] => [[skipped + value, value], [value + skipped, value]]));
          }
        });
        it(`${clause}: in full-width forms`, () => {
          for (const value of counts) holds(rewritten(value, fullWidth).map((text) => [text, text]));
        });
        it(`${clause}: with percent-escapes`, () => {
          for (const value of counts) holds(rewritten(value, escaped).map((text) => [text, text]));
        });
        it(`${clause}: in capitals`, () => {
          for (const value of counts) holds([[value.toUpperCase(), value.toUpperCase()]]);
        });
      }
      it(`${clause}: nothing beside it, wherever it stands`, () => {
        for (const value of not) for (const text of [value, `x ${value} y`, `${value} y`, `x ${value}`, value.toUpperCase()]) expect([text, found(text)]).toEqual([text, []]);
      });
    }
  });
}

describe("names like a file's, as the whole of an argument", () => {
  it("named host, domain, server, url or to, in any case", () => {
    for (const name of ["host", "domain", "server", "url", "to"]) {
      for (const argument of [name, name.toUpperCase(), name[0]!.toUpperCase() + name.slice(1)]) {
        for (const value of ["main.rs", "readme.md", "run.sh", "notes.zip", "setup.py"]) {
          expect(found(value, argument)).toEqual([`host ${value}`]);
          expect(found(` ${value}`, argument)).toEqual([`host ${value}`]);
          expect(found(`see ${value}`, argument)).toEqual([]);
        }
        expect(found("app.ts", argument)).toEqual([]);
      }
    }
  });
  it("not under other names", () => {
    for (const argument of ["hosts", "hostname", "domains", "urls", "too", "file", "path", "t", ""]) expect(found("main.rs", argument)).toEqual([]);
  });
});

describe("of overlapping findings", () => {
  it("the longest stands, under the first kind that it is", () => {
    const rows: Record<string, string[]> = {
      "mailto:a@b.co": ["url mailto:a@b.co"],
      "https://a@b.co/1.2.3.4": ["url https://a@b.co/1.2.3.4"],
      "a@b.example.com": ["email a@b.example.com"],
      "a@1.2.3.4": ["email a@1.2.3.4"],
      "\\\\a.com\\b": ["unc \\\\a.com\\b"],
      "//1.2.3.4/x": ["url //1.2.3.4/x"],
      "1.2.3.4.example.com": ["host 1.2.3.4.example.com"],
      "tel:5,mailto:a@b.co": ["url tel:5,mailto:a@b.co"],
      "a.com,b.com": ["host a.com", "host b.com"],
      "a@b.co,c@d.co": ["email a@b.co", "email c@d.co"],
    };
    expect(Object.fromEntries(Object.keys(rows).map((text) => [text, found(text)]))).toEqual(rows);
  });
});
