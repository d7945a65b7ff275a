// Holds the scanner against the model on random texts: the same findings, kind by kind and place by place.

import { expect, it } from "vitest";
import { destinations } from "../model/destinations";
import { find } from "./destinations-found";
import { Random } from "./random";

/** SLOW=1 tries 200,000 texts. */
const CASES = process.env.SLOW ? 200_000 : 5_000;

const PIECES = [
  "a", "b", "bob", "evil.com", "main.rs", "notes.zip", "b.co", ".", ".", "..", "@", "://", "//", "/", ":", ":80", ":99999", "\\\\", "\\", "localhost", "1.2.3.4", "10", "0x7f", "017", ".1", "::1", "::", "2001:db8", "fe80::1%eth0", "0x7f000001:80",
  "[", "]", "<", ">", '"', "'", "`", "(", ")", "=", ",", " ", " ", "%2e", "%40", "%", "%0a", "＠", "．", "。", "｡", "\u200b", "\u00ad", "\u200e", "\ufe0f", "é", "谢", ".рф", ".РФ", "♥", "🎉", "…", "—", "\n", "\t", "tel:", "http:", "HTTPS:", "mailto:", "ftp", "www.",
  "-", "_", "com", "com", "\u{1d41c}\u{1d428}\u{1d426}", "\u2024", "\ufb01", "\\u002e", "\\x2e", "\\/", "&#46;", "&#x3a;", "&colon;", "&commat;", "\u00a0", "\u0001", "#", "?", "$", "!", ";", "*", "|",
];

it("finds what the model finds", { timeout: 1_200_000 }, () => {
  const random = new Random();
  let found = 0;
  for (let i = 0; i < CASES; i++) {
    const text = Array.from({ length: 1 + random.below(9) }, () => random.of(PIECES)).join("");
    const name = random.below(4) === 0 ? random.of(["host", "TO", "note"]) : undefined;
    const got = find(text, name);
    const want = destinations(text, name ?? null).map((d) => `${d.kind} ${d.text}`);
    if (got.length > 0) found++;
    expect(got, `${JSON.stringify(text)} ${name ?? ""}; replay with SEED=${random.seed}`).toEqual(want);
  }
  console.log(`${CASES} texts, ${found} with findings, seed ${random.seed}`);
  expect(found).toBeGreaterThan(CASES / 5);
});
