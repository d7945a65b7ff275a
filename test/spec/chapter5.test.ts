// Chapter 5, row by row: what counts as a destination, and what step 4 of a check makes of it.

import { describe, expect, it } from "vitest";
import { Core, keySet, text } from "./conform-core.ts";

const core = new Core();
const found = (value: string, argument?: string): string[] => core.send("destinations", { value, argument }).ok.map(({ kind, text }: { kind: string; text: string }) => `${kind} ${text}`);
const each = (cases: Record<string, string[]>): void => {
  const got = Object.fromEntries(Object.keys(cases).map((value) => [value, found(value)]));
  expect(got).toEqual(cases);
};
const whole = (kind: string, values: string[]): void => each(Object.fromEntries(values.map((value) => [value, [`${kind} ${value}`]])));
const nothing = (values: string[]): void => each(Object.fromEntries(values.map((value) => [value, []])));

describe("url", () => {
  it("any scheme:// with a host or path", () => {
    whole("url", ["https://example.com", "HTTP://EXAMPLE.COM/", "http://a", "foo://bar", "svn+ssh://h/x", "a://b", "x-y.z://h", "file:///etc/passwd", "s3://bucket/key", "https://user:pw@1.2.3.4:80/a.com?u=b.co", "http://[::1]/", "http://2130706433/", "http://0x7f.1/", "http://例子.中国/路", "ldap://[2001:db8::7]/c=GB?objectClass?one"]);
    nothing(["http://", "foo://", "://", "://x"]);
  });
  it("//host/… at the start only", () => {
    whole("url", ["//host/path", "//example.com", "//h"]);
    nothing(["see //host/path", "// comment", "//", "a//b", "///"]);
  });
  it("mailto:, tel:, sms:, sip:, data:, javascript:, file:, ftp:, ws:, s3:, gs: and the like followed by something", () => {
    whole("url", ["mailto:a@b.co", "mailto:x", "tel:+5511999", "sms:5", "sip:a", "data:text/plain,hi", "javascript:x", "file:x", "ftp:x", "ws:x", "wss:x", "s3:bucket/key", "gs:bucket", "MAILTO:x", "JavaScript:x", "sips:a", "sftp:x"]);
    each({ "javascript:alert(1)": ["url javascript:alert(1"], "call tel:5511 now": ["url tel:5511"] });
    nothing(["mailto:", "tel: 5", "data:", "data: 5", "file: x"]);
  });
  it("http: with one slash, none, or back-slashes", () => {
    whole("url", ["http:/a.com", "http:a.com", "http:\\\\a.com", "http:\\a.com", "https:/\\a.com", "https:a", "HTTPS:\\\\a"]);
    nothing(["http:", "https: a"]);
  });
  it("what does not count", () => {
    nothing(["note: call back", "10:30", "at 10:30:15", "/a/b/c", "/definitions/x~1y", "", "/", "C:", "C:\\temp", "note:call", "x:y", "1:2", "a:1", "Re: hello", "12:00:00"]);
  });
});

describe("email", () => {
  it("what counts", () => {
    whole("email", ["a@b.co", "a+b_c.d@sub.b.co", "a@localhost", "\"a b\"@c.co", "ana@exämple.com", "用户@例子.公司", "A@B.CO", "o'neil@b.co", "a@b.museum", "a@xn--bcher-kva.example", "a@b.notatld"]);
    each({ "a@[1.2.3.4]": ["email a@[1.2.3.4"], "Ana <a@b.co>, b": ["email a@b.co"], "write a@b.co or c@d.co.": ["email a@b.co", "email c@d.co"], "(a@b.co)": ["email a@b.co"], "a@b.co.": ["email a@b.co"] });
  });
  it("what does not", () => {
    nothing(["@ana", "4411@", "a @ b", "a@b", "@", "a@", "a@ b.c", "@example"]);
  });
});

describe("ip", () => {
  it("dotted quad; IPv6 with or without [], zone, mapped v4", () => {
    whole("ip", ["1.2.3.4", "255.255.255.255", "1.2.3.4:80", "::1", "2001:db8::1", "fe80::1%eth0", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8", "[::1]:80"]);
    each({ "at 1.2.3.4, port 80": ["ip 1.2.3.4"], "1.2.3.4.": ["ip 1.2.3.4"], "192.168.0.1/24": ["ip 192.168.0.1"], "[::1]": ["ip [::1"], "(1.2.3.4)": ["ip 1.2.3.4"], "ip=1.2.3.4;": ["ip 1.2.3.4"] });
  });
  it("before :port also the decimal, octal and hex spellings", () => {
    whole("ip", ["2130706433:80", "0x7f000001:80", "0x7f.1:80", "127.1:80", "0177.0.0.1:80"]);
  });
  it("what does not", () => {
    nothing(["1.2.3", "10.0.0.1.5", "2025.11.29", "2025-11-29", "29.11.2025", "2130706433", "0x7f000001", "127.1", "1.2.3.256", "12:34", "1:2:3", "10:30:15", "40.00", "v1.2.3", "a :: b"]);
  });
});

describe("host", () => {
  it("a dotted name whose last label is a top-level domain, or one of the special ones", () => {
    whole("host", ["example.com", "Example.COM", "sub.example.co.uk", "bücher.de", "例子.中国", "xn--bcher-kva.example", "foo.local", "foo.internal", "foo.invalid", "foo.test", "foo.example", "foo.onion", "a.localhost", "localhost", "example.com:8080", "localhost:3000", "a-b.com", "1a.com", "a.xn--fiqs8s"]);
    each({ "example.com.": ["host example.com"], "see example.com now": ["host example.com"], "example.com/path": ["host example.com"], "go to example.com!": ["host example.com"], "x=example.com&y": ["host example.com"] });
  });
  it("what does not count", () => {
    nothing(["4411.20", "Dr.Silva", "foo.notatld", "com", "local", "test", "e.g. this", "hello world", "a.b.c.d", "1.5", "end. Then"]);
  });
  it("a usual file extension yields, unless www., /, :port, or the whole of an argument named like one", () => {
    nothing(["main.rs", "readme.md", "run.sh", "notes.zip", "setup.py", "app.ts", "see README.md please"]);
    whole("host", ["www.main.rs", "main.rs:80"]);
    each({ "main.rs/": ["host main.rs"], "main.rs/x": ["host main.rs"] });
    for (const name of ["host", "domain", "server", "url", "to"]) {
      expect(found("main.rs", name)).toEqual(["host main.rs"]);
      expect(found("see main.rs", name)).toEqual([]);
    }
    for (const name of ["file", "path", "note"]) expect(found("main.rs", name)).toEqual([]);
    expect(found("example.com", "file")).toEqual(["host example.com"]);
  });
});

describe("unc", () => {
  it("\\\\host\\share", () => {
    whole("unc", ["\\\\host\\share", "\\\\1.2.3.4\\c$", "\\\\host\\share\\a.txt", "\\\\files.example.com\\x"]);
    each({ "at \\\\host\\share now": ["unc \\\\host\\share"] });
    nothing(["\\\\n in text", "\\n", "\\\\", "\\\\host", "a\\\\b"]);
  });
});

describe("reading the string as a person's program would", () => {
  it("tabs, CR, LF and zero-width characters are skipped", () => {
    for (const skipped of ["\t", "\r", "\n", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"]) {
      whole("host", [`exam${skipped}ple.com`, `example${skipped}.com`]);
      whole("url", [`ht${skipped}tps://a.co`, `https:/${skipped}/a.co`]);
      whole("email", [`a${skipped}@b.co`]);
      whole("ip", [`1.2${skipped}.3.4`]);
    }
    nothing(["exam ple. com"]);
  });
  it("full-width forms and compatibility dots count as their ASCII", () => {
    whole("host", ["ｅxample．com", "example。com", "example｡com", "ＥＸＡＭＰＬＥ．ＣＯＭ"]);
    whole("email", ["a＠b．co"]);
    whole("url", ["http：／／a", "ｈｔｔｐ://a", "／／host"]);
    whole("ip", ["１．２．３．４"]);
    whole("unc", ["＼＼host＼share"]);
  });
  it("percent-escapes of ASCII are undone once", () => {
    whole("host", ["example%2ecom", "example%2Ecom"]);
    whole("email", ["a%40b.co"]);
    whole("url", ["http%3a%2f%2fa", "%68ttp://a"]);
    nothing(["example%252ecom", "a%2540b"]);
  });
  it("the value reported is the original text, without trailing . , ; : ! ? ) ] } ' \"", () => {
    for (const tail of [".", ",", ";", ":", "!", "?", ")", "]", "}", "'", '"', ").", '".,', "!?"]) each({ [`https://a.co/x${tail}`]: ["url https://a.co/x"] });
    each({ "https://a.co/x).y": ["url https://a.co/x).y"] });
  });
});

describe("findings", () => {
  it("are listed by where they start", () => {
    each({ "b.com https://a.co 1.2.3.4 a@b.co \\\\h\\s": ["host b.com", "url https://a.co", "ip 1.2.3.4", "email a@b.co", "unc \\\\h\\s"] });
    each({ "a.com a.com": ["host a.com", "host a.com"] });
  });
  it("of overlapping ones the longest stands", () => {
    each({ "https://a@b.co/1.2.3.4": ["url https://a@b.co/1.2.3.4"], "a@b.example.com": ["email a@b.example.com"], "mailto:a@b.co": ["url mailto:a@b.co"], "\\\\a.com\\b": ["unc \\\\a.com\\b"], "a@1.2.3.4": ["email a@1.2.3.4"] });
  });
});

describe("step 4 of a check", () => {
  core.send("keys", { name: "k", keys: keySet });
  const parameters = { type: "object", properties: { to: {}, note: {}, list: {}, b: {}, a: {}, owner: {} }, patternProperties: { "\\.": {} } };
  const tools = [{ name: "read", effect: "read", parameters, subject_argument: ["owner", "b"] }, { name: "send", effect: "read", parameters, sends_out: true }];
  core.send("register", { name: "p", policy: { format: "qls-policy/1", tenant: "t", agents: { a: { tools: ["*"] } }, tools } });
  const check = (values: unknown, tool = "read") => {
    const { decision, reason, detail } = core.send("check", { policy: "p", keys: "k", request: { format: "qls-tool-check/1", session: "s", tool, arguments: values, now: 5 } }).ok;
    if (decision === "allow") return "allow";
    expect(reason).toBe("undeclared_destination");
    expect(typeof detail.hint).toBe("string");
    return detail;
  };
  it("a tool not sends_out: any string, at any depth, property names included", () => {
    expect(check({ note: "see example.com" })).toMatchObject({ pointers: ["/note"] });
    expect(check({ list: [1, { deep: ["x", "a@b.co"] }] })).toMatchObject({ pointers: ["/list/1/deep/1"] });
    expect(check({ list: { "a@b.co": 1 } })).not.toBe("allow");
    expect(check({ "evil.com": 1 })).not.toBe("allow");
    expect(check({ note: "nothing", list: [1, true, null] })).toBe("allow");
    expect(check({ note: "main.rs" })).toBe("allow");
    expect(check({ to: "main.rs" })).toMatchObject({ pointers: ["/to"] });
  });
  it("a sends_out tool may", () => {
    expect(check({ note: "https://example.com", "evil.com": 1 }, "send")).toBe("allow");
  });
  it("by pointer, then position", () => {
    const detail = check({ b: "x", a: "b.com a.com", note: "c.com", list: ["d.com", "e.com"] });
    expect(detail.pointers).toEqual(["/a", "/a", "/list/0", "/list/1", "/note"]);
    expect(text(detail.destinations)).toMatch(/b\.com.*a\.com.*d\.com.*e\.com.*c\.com/);
  });
  it("a subject_argument is exempt when the whole of it is one e-mail address or host", () => {
    for (const owner of ["a@b.co", "example.com", "sub.example.com", "4411"]) expect(check({ owner }), owner).toBe("allow");
    for (const owner of ["mail a@b.co", "a@b.co c@d.co", "https://example.com", "a@b.co.", " a@b.co", "example.com/x", "1.2.3.4", "<a@b.co>", ["a@b.co"], { x: "a@b.co" }]) expect(check({ owner }), text(owner)).not.toBe("allow");
    expect(check({ b: "a@b.co", note: "a@b.co" })).toMatchObject({ pointers: ["/note"] });
  });
});
