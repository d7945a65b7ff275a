// What differs between two listings of a tool, member by member, for the person who is asked whether the new one is right.
import type { ListingChange } from "../approvals/record.ts";

/** So many differences are told; a listing that differs in more is shown whole by its members. */
const MOST = 200;

/**
 * The members that differ between two listings (JSON texts), by pointer in the order of the texts, the innermost ones. Without one before, every top-level
 * member is new. Where there are more than 200, the top-level members that differ.
 */
export function listingChanges(before: string | null, after: string): readonly ListingChange[] {
  const one: unknown = before === null ? {} : JSON.parse(before);
  const other: unknown = JSON.parse(after);
  const found: ListingChange[] = [];
  compare(one, other, "", found, before === null ? 1 : Number.POSITIVE_INFINITY);
  if (found.length <= MOST) return found;
  const coarse: ListingChange[] = [];
  compare(one, other, "", coarse, 1);
  return coarse;
}

function compare(one: unknown, other: unknown, pointer: string, found: ListingChange[], depth: number): void {
  if (depth === 0 || !isObject(one) || !isObject(other)) {
    const [before, after] = [text(one), text(other)];
    if (before !== after) found.push({ pointer, before, after });
    return;
  }
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const [mine, theirs] = [own(one, name), own(other, name)];
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    compare(mine, theirs, at, found, depth - 1);
  }
}

function own(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Listings are kept in canonical form, so equal values have equal texts. */
function text(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
