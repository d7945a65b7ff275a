// Lists of addresses on which the scanner is measured: what each says of its texts, and where chapter 5 decides otherwise, with the reason.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { shared } from "../vectors/shared";

/** A text of a list, and whether the list says that it is or holds a destination. */
export interface Listed {
  text: string;
  says: boolean;
}

/** Where chapter 5 decides otherwise than a list: what it says, and of which texts. */
export interface Difference {
  why: string;
  counts: boolean;
  of: (text: string) => boolean;
}

const json = (path: string) => JSON.parse(readFileSync(shared(`vectors/${path}`), "utf8"));
const records = (path: string): Record<string, string>[] => json(path).filter((record: unknown) => typeof record === "object");
const topLevel = new Set<string>([...createRequire(import.meta.url)("tlds"), "localhost", "local", "internal", "invalid", "test", "example", "onion"]);

/** A text as chapter 5 says that it is read. */
export function readAsChapter(text: string): string {
  return text
    .replace(/[\t\r\n\u200b-\u200d\u2060\ufeff\u00ad]/g, "")
    .replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replace(/[\u3002\uff61]/g, ".")
    .replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

/** Whether a name of two labels or more, read as chapter 5 says, ends in a top-level domain. */
function isName(name: string): boolean {
  const labels = readAsChapter(name).toLowerCase().replace(/\.$/, "").split(".");
  return labels.length > 1 && labels.every((label) => label !== "") && topLevel.has(labels.at(-1)!);
}

const SCHEMES = /(?:^|[^a-z0-9])(?:mailto|tel|sms|sips?|data|javascript|file|ftps?|s3|gs|blob|gopher|jar|view-source):(?!\/\/$)[^\s<>"`]*?[^\s<>"`.,;:!?)\]}']/i;
/** Whether the words of the first row of chapter 5's table fit something in a text. */
const isUrl = (text: string): boolean => /[a-z][a-z0-9+.-]*:\/\/\S*?[^\s.,;:!?)\]}'"]/i.test(text) || SCHEMES.test(text) || /(?:^|[^a-z0-9])(?:https?|wss?):[^\s<>"`]*?[^\s\\/<>"`.,;:!?)\]}']/i.test(text) || /^\s*\/\/[^/\s]/.test(text);
const holdsName = (text: string): boolean => text.split(/[^\p{L}\p{M}\p{N}.-]+/u).some((word) => isName(word.replace(/^\.+/, "")));

/** The URL Standard's test data: what a URL parser takes, by itself, for a URL with a host, or with a scheme that chapter 5 names. */
export function urls(): Listed[] {
  const parsed = new Map(records("url-wpt/derived-absolute.json").map((record) => [record.value!, record as unknown as { valid: boolean; hostname: string; protocol: string }]));
  const says = new Map<string, boolean>();
  for (const file of ["urltestdata", "ada_extra_urltestdata", "ada_long_urltestdata", "verifydnslength_tests"]) {
    for (const { input, failure, hostname } of records(`url-wpt/${file}.json`)) {
      if (input === undefined || !input.isWellFormed() || says.has(input)) continue;
      const own = parsed.get(input);
      const relative = /^\s*\/\/[^/\s]/.test(readAsChapter(input));
      if (own) says.set(input, own.valid && (own.hostname !== "" || /^(?:mailto|tel|sms|sip|data|javascript|file|ftp|ws|s3|gs):$/.test(own.protocol)));
      else says.set(input, relative || (file !== "urltestdata" && /^[a-z]+:/i.test(input) && !failure && (hostname ?? "") !== ""));
    }
  }
  return [...says].map(([text, is]) => ({ text, says: is }));
}

export const URL_DIFFERENCES: Difference[] = [
  { why: "nothing follows the colon but punctuation that a value does not end with", counts: false, of: (text) => /^(?:file:\.?|h:\/\/\.)$/.test(text) },
  { why: "a URL parser refuses it, or wants a base; chapter 5 asks for a scheme and something behind it", counts: true, of: (text) => isUrl(readAsChapter(text)) },
  { why: "a host, an address or a share stands in a reference that names none", counts: true, of: (text) => holdsName(readAsChapter(text)) || /^::23$|^10\.0\.0\.7:8080|^\\\\(?:x|server)\\|\\\\opaque\\|localhost|^\\\\\\\.\\Y:$/i.test(text) },
  { why: "back-slashes before the second slash: read as `//`, as JSON writes it", counts: true, of: (text) => /^\\\/\/pig$/.test(text) },
];

/** The tests of names: what they make of a name that ends in a top-level domain, as it stands and with `.com` behind it. */
export function names(): Listed[] {
  const says = new Map<string, boolean>();
  for (const { input, output } of [...records("url-wpt/toascii.json"), ...records("url-wpt/IdnaTestV2.json")]) {
    if (input === undefined) continue;
    says.set(input, output != null && isName(output));
    // A name that is valid alone is a label, or some, of a longer one.
    if (output != null && output !== "" && !output.endsWith(".")) says.set(`${input}.com`, true);
  }
  return [...says].map(([text, is]) => ({ text, says: is }));
}

/** Whether a name that ends in a domain is followed by another script or hyphens. */
function isGlued(text: string): boolean {
  const name = text.replace(/\p{Default_Ignorable_Code_Point}/gu, "").replace(/[^\x00-\x7f]/gu, "\u4e00");
  return isName(name.replace(/[-\u4e00]+$/, "")) && (/[-\u4e00]$/.test(name) || text !== text.replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
}

export const NAME_DIFFERENCES: Difference[] = [
  { why: "a label of punctuation, currency or ASCII signs is neither LDH nor letters", counts: false, of: (text) => /^[$¡]\.com$|†\.com$|†--\.com$|[=,]\.com$/.test(text) },
  { why: "a URL parser refuses the name; its labels and its domain are what chapter 5 asks for", counts: true, of: (text) => holdsName(readAsChapter(text)) },
  { why: "a label of symbols, or of characters that Unicode does not assign, counts as one of letters", counts: true, of: (text) => isName(readAsChapter(text)) && !/[\ufffd]/.test(text) },
  { why: "another script, an invisible character or a hyphen is glued to the domain; a name ends there", counts: true, of: (text) => isGlued(readAsChapter(text)) },
  { why: "read with compatibility characters as their ASCII (`⒈` is `1.`)", counts: true, of: (text) => text.normalize("NFKC") !== text && isName(text.normalize("NFKC")) },
  { why: "many programs make a link of whatever begins with www.", counts: true, of: (text) => /^www\./.test(text) },
];

/** The project's own list of addresses and look-alikes. */
export function addresses(): Listed[] {
  return json("destinations/destinations.json").map(({ value, is_destination }: { value: string; is_destination: boolean }) => ({ text: value, says: is_destination }));
}

const byId = (ids: string[]) => {
  let values: Set<string> | undefined;
  return (text: string): boolean => {
    values ??= new Set(json("destinations/destinations.json").filter(({ id }: { id: string }) => ids.includes(id)).map(({ value }: { value: string }) => value));
    return values.has(text);
  };
};

export const ADDRESS_DIFFERENCES: Difference[] = [
  { why: "a single label is no dotted name, and a port does not make it one", counts: false, of: byId(["d-044", "d-045"]) },
  { why: "`a @ b` does not count", counts: false, of: byId(["d-074"]) },
  { why: "words, defanged dots, base64 and letters set apart are not undone", counts: false, of: byId(["d-082", "d-126", "d-255", "d-257"]) },
  { why: "account numbers, telephone numbers without tel: and mentions are of no kind", counts: false, of: byId(["d-261", "d-262", "d-268"]) },
  { why: "a dotted quad counts, whatever stands before it", counts: true, of: byId(["d-272"]) },
  { why: "a dotted name under a top-level domain that is no usual file extension counts", counts: true, of: byId(["d-280", "d-281", "d-329"]) },
  { why: "any scheme:// with a host or path counts", counts: true, of: byId(["d-310"]) },
  { why: "localhost counts anywhere", counts: true, of: byId(["d-323"]) },
];

/** The payload lists: each line is made to lead somewhere. */
export function payloads(): Listed[] {
  const lines = ["ssrf", "cloud-metadata", "open-redirect", "open-redirect-2"].flatMap((list) => readFileSync(shared(`vectors/destinations/payloadsallthethings/${list}.txt`), "utf8").split("\n"));
  return [...new Set(lines.filter((line) => line !== ""))].map((text) => ({ text, says: true }));
}

export const PAYLOAD_DIFFERENCES: Difference[] = [
  { why: "`javascript:` is cut by an escaped line break, which a URL does not lose", counts: false, of: (text) => /^java%0d%0ascript%0d%0a:/.test(text) },
  { why: "`javascript:` is written in escapes that only a JavaScript string has: octal ones, line breaks, back-slashes before any letter", counts: false, of: (text) => /^\\j\\av|^\\152|^ja\\nva/.test(text) },
  { why: "a script without an address", counts: false, of: (text) => text === '";alert(0);//' },
];
