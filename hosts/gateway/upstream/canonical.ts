// Canonical JSON and the digest of a listing, by the core's own reader and printer.
import { createHash } from "node:crypto";
import { lineDriver, rawMembers } from "interlock";

/** A text that is not JSON by the core's strict reader. */
export class NotCanonical extends Error {
  readonly code = "json_invalid";
}

const driver = lineDriver();

/** The canonical text (chapter 1) of a JSON text. Throws NotCanonical where the core does not accept it: duplicate members, inexact numbers, too deep. */
export function canonical(text: string): string {
  const answer = JSON.parse(driver.answer(JSON.stringify({ id: 1, op: "canonicalize", text }))) as { ok?: string; error?: { message: string } };
  if (typeof answer.ok !== "string") throw new NotCanonical(answer.error?.message ?? "not JSON");
  return answer.ok;
}

/** The members of a listed tool that a person approves, and that the digest covers. Others (icons, `_meta`, execution) reach nobody. */
const LISTED = new Set(["name", "title", "description", "inputSchema", "outputSchema", "annotations"]);

/** The canonical listing of a tool from its server's text, and its digest: base64url of SHA-256 over `qls-listing/1\n` and the canonical listing. Throws NotCanonical. */
export function listingOf(tool: string): { listing: string; digest: string } {
  const members = rawMembers(canonical(tool));
  if (members === null) throw new NotCanonical("a tool of a listing is an object");
  const kept = members.filter(({ name }) => LISTED.has(name)).map(({ name, value }) => `${JSON.stringify(name)}:${value.text}`);
  const listing = `{${kept.join(",")}}`;
  return { listing, digest: createHash("sha256").update("qls-listing/1\n").update(listing).digest("base64url") };
}
