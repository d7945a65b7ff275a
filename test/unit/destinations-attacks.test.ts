// Ways to hide an address from the scanner that a person's program would still open, and what is left alone, each with the reason.

import { describe, expect, it } from "vitest";
import { find } from "./destinations-found";

type Row = [text: string, found: string[], why: string];

function table(name: string, rows: Row[]): void {
  describe(name, () => {
    for (const [text, found, why] of rows) it(`${JSON.stringify(text)}: ${why}`, () => expect(find(text)).toEqual(found));
  });
}

table("dots that are no full stop", [
  ["evil\u3002com", ["host evil\u3002com"], "chapter 5 names U+3002"],
  ["evil\uff61com", ["host evil\uff61com"], "chapter 5 names U+FF61"],
  ["evil\uff0ecom", ["host evil\uff0ecom"], "full-width"],
  ["evil\u2024com", ["host evil\u2024com"], "one dot leader: names are read with it as a full stop"],
  ["evil\ufe52com", ["host evil\ufe52com"], "small full stop"],
  ["a\ufe6bb.co", ["email a\ufe6bb.co"], "small commercial at"],
  ["1\u30022\u30023\u30024", ["ip 1\u30022\u30023\u30024"], "in a quad"],
  ["http\ufe55//a", ["url http\ufe55//a"], "small colon"],
]);

table("letters that are no ASCII letters", [
  ["\u24d4\u24e5\u24d8\u24db.\u24d2\u24de\u24dc", ["host \u24d4\u24e5\u24d8\u24db.\u24d2\u24de\u24dc"], "circled letters, which names are read with as ASCII"],
  ["\u{1d41e}\u{1d42f}\u{1d422}\u{1d425}.\u{1d41c}\u{1d428}\u{1d426}", ["host \u{1d41e}\u{1d42f}\u{1d422}\u{1d425}.\u{1d41c}\u{1d428}\u{1d426}"], "letters of mathematics"],
  ["evil.\u2121", ["host evil.\u2121"], "one sign that stands for tel"],
  ["evil.\ufb01", ["host evil.\ufb01"], "a ligature that stands for fi"],
  ["evil.\u212aE", ["host evil.\u212aE"], "the Kelvin sign is a k"],
  ["\u0435vil.com", ["host \u0435vil.com"], "a Cyrillic letter in a label"],
  ["xn--80ak6aa92e.com", ["host xn--80ak6aa92e.com"], "punycode"],
  ["\u10de.\u1c92\u1c94", ["host \u10de.\u1c92\u1c94"], "Georgian capitals"],
  ["x.vermo\u0308gensberater", ["host x.vermo\u0308gensberater"], "a decomposed domain"],
  ["x.\uff7a\uff91", ["host x.\uff7a\uff91"], "half-width kana"],
  ["\u2665.net i\u2764\ufe0f.ws \u{1f4a9}.la", ["host \u2665.net", "host i\u2764\ufe0f.ws", "host \u{1f4a9}.la"], "labels of symbols"],
  ["\u2460\u2461\u2466.\u24ea.\u24ea.\u2460", ["ip \u2460\u2461\u2466.\u24ea.\u24ea.\u2460"], "circled digits"],
  ["\uff11\uff12\uff17\uff0e\uff11:80", ["ip \uff11\uff12\uff17\uff0e\uff11:80"], "full-width digits"],
]);

table("characters that nobody sees", [
  ["ev\u200bil.c\u00adom", ["host ev\u200bil.c\u00adom"], "chapter 5 names them"],
  ["ev\u202eil.c\u2066om", ["host ev\u202eil.c\u2066om"], "direction controls"],
  ["evil.c\ufe0fom", ["host evil.c\ufe0fom"], "a variation selector"],
  ["evil.c\u{e0061}om", ["host evil.c\u{e0061}om"], "a tag character"],
  ["evil.c\u034fom", ["host evil.c\u034fom"], "a grapheme joiner"],
  ["ht\u2063tp://a", ["url ht\u2063tp://a"], "an invisible separator"],
  ["evil.com\u200bThanks", ["host evil.com"], "what is skipped also ends a name"],
  ["evil.com\u200eThanks", ["host evil.com"], "so does what only programs skip"],
  ["evil.com\nThanks", ["host evil.com"], "and a line break"],
  ["evil.\ncom", ["host evil.\ncom"], "a name over two lines"],
  ["java\tscript:alert(1)", ["url java\tscript:alert(1"], "a tab in a scheme"],
  ["\u0000http://a", ["url http://a"], "a control before it"],
]);

table("escapes", [
  ["evil%2ecom", ["host evil%2ecom"], "undone once"],
  ["evil%252ecom", [], "chapter 5 undoes escapes once"],
  ["evil%E3%80%82com", [], "chapter 5 undoes escapes of ASCII"],
  ['{"u":"x:\\/\\/evil\\/x"}', ["url x:\\/\\/evil\\/x"], "JSON in a string, its slashes escaped"],
  ["evil\\u002ecom", ["host evil\\u002ecom"], "JSON in a string"],
  ["evil\\u{2e}com evil\\x2ecom", ["host evil\\u{2e}com", "host evil\\x2ecom"], "JavaScript"],
  ["evil\\uff0ecom", ["host evil\\uff0ecom"], "an escaped full-width dot"],
  ["\\\\\\\\host\\\\share", ["unc \\\\\\\\host\\\\share"], "a share as JSON writes it"],
  ["evil&#46;com evil&#x2e;com evil&period;com", ["host evil&#46;com", "host evil&#x2e;com", "host evil&period;com"], "HTML"],
  ["http&colon;//a", ["url http&colon;//a"], "HTML by name"],
  ["java&#x09;script:alert(1)", ["url java&#x09;script:alert(1"], "a tab as HTML writes it is skipped as a tab"],
  ["a\\ncom.b", [], "`\\n` is not undone: lines of a text in JSON are not joined"],
  ["evil=2Ecom", [], "quoted-printable is undone only by a program that a header tells to"],
  ["ZXZpbC5jb20=", [], "base64 is not undone"],
]);

table("URLs bent out of shape", [
  ["http:/evil http:\\\\evil http:\\/evil https:evil", ["url http:/evil", "url http:\\\\evil", "url http:\\/evil", "url https:evil"], "one slash, back-slashes, none"],
  ["\\/\\/evil", ["url \\/\\/evil"], "`//` as JSON writes it, at the start"],
  ["/\\evil.com", ["host evil.com"], "a back-slash for a slash"],
  ["///evil.com", ["host evil.com"], "a third slash"],
  ["http://good.com@evil.com", ["url http://good.com@evil.com"], "a name before the @"],
  ["http://evil.com#@good.com", ["url http://evil.com#@good.com"], "a name after the #"],
  ["//good.com\\@evil.com", ["url //good.com\\@evil.com"], "both"],
  ['http://!"$&@evil', ["url http://"], "quotation marks in the user's part: found, though a reader of text ends there"],
  ["http:// @evil", ["url http://"], "a space in the user's part of a URL that begins the text"],
  ["http:// here", [], "a space without a user's part"],
  ["use http:// @evil", [], "elsewhere a scheme with nothing behind it is none"],
  ["<img src=//evil.com/x>", ["host evil.com"], "HTML without quotes"],
  ["<img src=//2130706433/x>", ["ip 2130706433"], "a reference to a decimal address"],
  ["![a](//0x7f000001/x)", ["ip 0x7f000001"], "Markdown, a hexadecimal address"],
  ["[a](//evil.zip)", ["host evil.zip"], "behind `//` a name is no file's"],
  ["![](http://1.1)", ["url http://1.1"], "a short address in a URL"],
  ["see //evil/x", [], "chapter 5 takes `//host` at the start"],
  ["data:,x blob:x view-source:x ms-msdt:/x search-ms:x", ["url data:,x", "url blob:x", "url view-source:x", "url ms-msdt:/x", "url search-ms:x"], "schemes that programs act on"],
  ["file:/ data:/../", ["url file:/", "url data:/../"], "slashes are something behind a scheme that needs no host"],
  ["about:blank urn:x doi:10.1000/x", [], "schemes that lead nowhere"],
]);

table("addresses in other spellings", [
  ["0177.0.0.1:22 0x7f.1:80 2130706433:80 127.1:8", ["ip 0177.0.0.1:22", "ip 0x7f.1:80", "ip 2130706433:80", "ip 127.1:8"], "before a port"],
  ["0177.0.0.1 0x7f000001 2130706433 127.1", [], "chapter 5: as a URL's host or before a port"],
  ["127.0.0.1. 127.000.000.001", ["ip 127.0.0.1", "ip 127.000.000.001"], "a trailing dot, leading zeros"],
  ["fe80::1%25eth0 [::ffff:7f00:1]:80 ::127.0.0.1", ["ip fe80::1%25eth0", "ip [::ffff:7f00:1]:80", "ip ::127.0.0.1"], "zone, mapped, compatible"],
  ["::", [], "nothing of it is left without trailing punctuation"],
  ["a@127.1 a@2130706433", [], "no dotted domain with a letter"],
  ["1.2.3.4谢谢 é1.2.3.4", ["ip 1.2.3.4", "ip 1.2.3.4"], "another script glued to it"],
]);

table("names where they are not expected", [
  ["_dmarc.evil.com evil.com_ .evil.com evil.com-", ["host dmarc.evil.com", "host evil.com", "host evil.com", "host evil.com"], "an underscore, a dot or a hyphen beside it"],
  ["访问evil.com谢谢main.rs谢", ["host 访问evil.com"], "another script on both sides, and a file after it"],
  ["www.our-company.com.They", ["host www.our-company.com.They"], "www. begins a link whatever its end"],
  ["evil.com.They", [], "no www., and They is no domain"],
  ["evil.com-x evil..com evil. com evil\\.com", [], "no names: com-x is no domain, a label is empty, blanks and back-slashes stay"],
  ["“evil.com” ’evil.com’s 👉evil.com👈", ["host evil.com", "host evil.com", "host evil.com"], "punctuation and symbols beside it"],
  ["evil.zip?x evil.zip#x", [], "chapter 5: only a slash or a port makes a file's name a host"],
  ["git@github.com:x/y", ["email git@github.com"], "a remote of git"],
  ["git@evil:x", [], "a single label"],
  ["\\\\h@SSL\\s \\\\1.2.3.4\\c$ \\\\.\\pipe\\x", ["unc \\\\h@SSL\\s", "unc \\\\1.2.3.4\\c$", "unc \\\\.\\pipe\\x"], "shares over the web, by address, of this machine"],
  ["evil dot com, evil[.]com, e v i l . c o m", [], "nothing that a program opens"],
]);
