// Turns what the shape found wrong with a file into problems at their places, each with what to write instead.
import { nearest, type Place, type PlaceBook, type Problem, problemAt } from "interlock/register";
import type { z } from "zod";

type Issue = z.core.$ZodIssue;
type Shape = z.core.$ZodType;

/** What is needed to place a problem: the value that was read, where it stands as a whole, and where its parts stand. */
export interface Read {
  readonly value: unknown;
  readonly root: Place;
  readonly book: PlaceBook;
}

/** Every problem that the shape found. Codes: config_unknown_member, config_missing, config_value. */
export function problemsOf(issues: readonly Issue[], read: Read, shape: Shape): Problem[] {
  return issues.flatMap((issue) => problemsOfOne(issue, [], read, shape));
}

function problemsOfOne(issue: Issue, above: readonly PropertyKey[], read: Read, shape: Shape): Problem[] {
  const path = [...above, ...issue.path];
  const value = at(read.value, path);
  if (issue.code === "invalid_union") {
    const branch = nearestBranch(issue.errors as Issue[][], value);
    if (branch !== null) return branch.flatMap((inner) => problemsOfOne(inner, path, read, shape));
  }
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownMember(path, key, read, shape));
  if (issue.code === "invalid_key") return [problemAt(placeOf(read, path, "name"), { code: "config_value", message: `"${String(path.at(-1))}" is not ${issue.issues[0]!.message}.`, pointer: pointer(path) })];
  const where = path.length === 0 ? "The file" : spelt(path);
  if (value === undefined) return [problemAt(placeOf(read, path.slice(0, -1), "name"), { code: "config_missing", message: `${where} is missing.`, hint: `Add ${String(path.at(-1))}: ${issue.message}.`, pointer: pointer(path.slice(0, -1)) })];
  return [problemAt(placeOf(read, path, "value"), { code: "config_value", message: `${where} is not ${issue.message}.`, pointer: pointer(path) })];
}

/**
 * The alternative that was meant: the one with the fewest members that are missing or strange. Null where the value is no mapping, or where each
 * alternative is as far off, so that the alternatives themselves are told.
 */
function nearestBranch(branches: readonly Issue[][], value: unknown): readonly Issue[] | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const cost = (issues: readonly Issue[]) =>
    issues.reduce((sum, issue) => {
      if (issue.path.length === 0 && issue.code === "invalid_type") return sum + 1000;
      if (issue.code === "unrecognized_keys") return sum + 10 * issue.keys.length;
      return sum + (issue.path.length === 1 && !Object.hasOwn(value, issue.path[0] as string) ? 10 : 1);
    }, 0);
  const sorted = branches.map((issues) => ({ issues, cost: cost(issues) })).sort((a, b) => a.cost - b.cost);
  const [first, second] = sorted;
  return first === undefined || first.cost >= 1000 || (second !== undefined && second.cost === first.cost && first.cost >= 10) ? null : first.issues;
}

function unknownMember(path: readonly PropertyKey[], key: string, read: Read, shape: Shape): Problem {
  const known = membersAt(shape, path, at(read.value, path));
  const near = nearest(key, known);
  const hint = near !== undefined ? `Did you mean ${near}?` : known.length > 0 ? `Known here: ${known.join(", ")}.` : "Leave it out.";
  return problemAt(placeOf(read, [...path, key], "name"), { code: "config_unknown_member", message: `${spelt([...path, key])} is no member of this file.`, hint, pointer: pointer([...path, key]) });
}

/** The members that the shape knows at a path; of alternatives those of the one that `value` is nearest to. */
function membersAt(shape: Shape, path: readonly PropertyKey[], value: unknown): string[] {
  const inner = bare(shape);
  const def = inner._zod.def as { type: string; shape?: Record<string, Shape>; element?: Shape; valueType?: Shape; options?: readonly Shape[] };
  if (def.type === "union") return (def.options ?? []).map((option) => membersAt(option, path, value)).sort((a, b) => shared(b, value) - shared(a, value))[0] ?? [];
  if (path.length === 0) return Object.keys(def.shape ?? {});
  const [head, ...rest] = path;
  const next = def.type === "object" ? def.shape?.[String(head)] : def.type === "array" ? def.element : def.valueType;
  return next === undefined ? [] : membersAt(next, rest, value);
}

function shared(members: readonly string[], value: unknown): number {
  return typeof value === "object" && value !== null ? members.filter((member) => Object.hasOwn(value, member)).length : 0;
}

/** The shape without what only gives a default. */
function bare(shape: Shape): Shape {
  const { innerType } = shape._zod.def as { innerType?: Shape };
  return innerType === undefined ? shape : bare(innerType);
}

/** The value that a path leads to; undefined where there is none. */
function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const token of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, token)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[token];
  }
  return here;
}

/** Where a member stands; the nearest part above it where no text holds it. */
export function placeOf(read: Read, path: readonly PropertyKey[], part: "name" | "value"): Place {
  let place = read.root;
  let here: unknown = read.value;
  for (const [index, token] of path.entries()) {
    const member = typeof here === "object" && here !== null ? read.book.of(here, token as string | number) : undefined;
    if (member === undefined) break;
    const last = index === path.length - 1;
    place = last && part === "name" ? (member.name ?? member.value) : member.value;
    here = (here as Record<PropertyKey, unknown>)[token];
  }
  return path.length === 0 && part === "name" ? { ...read.root, end: read.root.start } : place;
}

/** A path as people write it: `servers.files.env`, `hooks[0].when`. */
export function spelt(path: readonly PropertyKey[]): string {
  return path.map((token, index) => (typeof token === "number" ? `[${token}]` : index === 0 ? String(token) : `.${String(token)}`)).join("");
}

/** RFC 6901. */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
