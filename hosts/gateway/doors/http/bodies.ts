// Reads bodies: within bounds, as strict JSON judged by the core, and only then as values.
import { lineDriver, rawMembers } from "interlock";
import type { z } from "@hono/zod-openapi";
import { requireType, textOf } from "../../../shared/web/bounds.ts";
import { Failure } from "../../../shared/web/failure.ts";
import { turnFor } from "../../pace.ts";
import { bodyOf } from "../incoming.ts";
import type { Asked } from "./parts.ts";

/** How long a body may take, in milliseconds. */
const BODY_MS = 30_000;

const driver = lineDriver();

/** A body's text, of at most `most` bytes where that is less than the settings allow. Fails with `content_type`, `body_size`, `body_time`, `json_encoding`. */
export async function textBody({ request, parts }: Asked, types: readonly string[], most = Number.POSITIVE_INFINITY): Promise<string> {
  requireType(request, types);
  const body = await bodyOf(request, Math.min(parts.settings().limits.bodyBytes, most), parts.bodyMs ?? BODY_MS);
  const text = textOf(body);
  if (text === null) throw new Failure(400, "json_encoding", "the body is not UTF-8");
  return text;
}

/** The members of a JSON object's text, none of them twice, by their names. */
export type Members = ReadonlyMap<string, string>;

/**
 * The members of a body that is one JSON object, each with its text as it came.
 * Numbers and depth inside those named `unjudged` are not looked at: the check judges them (chapter 1, Numbers).
 * Fails with `json_…` in the core's words, and `request_invalid` where it is no object.
 */
export async function membersBody(asked: Asked, unjudged: readonly string[] = ["arguments", "history"]): Promise<Members> {
  const text = await textBody(asked, ["application/json"]);
  await turnFor(text.length);
  const members = rawMembers(text);
  await turnFor(text.length);
  const problem = problemOf(text);
  if (problem !== null && (members === null || !LATER.has(problem.code))) throw refused(problem);
  if (members === null) throw new Failure(400, "request_invalid", "the body has to be one JSON object", { pointer: "" });
  if (problem !== null) {
    const rest = `{${members.map(({ name, value }) => `${JSON.stringify(name)}:${unjudged.includes(name) ? "{}" : value.text}`).join(",")}}`;
    await turnFor(rest.length);
    const left = problemOf(rest);
    if (left !== null) throw refused({ ...left, offset: undefined });
  }
  return new Map(members.map(({ name, value }) => [name, value.text]));
}

/** A body as a value of a schema. Fails as `membersBody`, and with `request_invalid` at the smallest pointer that is wrong. */
export async function valueBody<Shape extends z.ZodType>(asked: Asked, shape: Shape): Promise<z.infer<Shape>> {
  const text = await textBody(asked, ["application/json"]);
  await turnFor(text.length);
  const problem = problemOf(text);
  if (problem !== null) throw refused(problem);
  return shaped(shape, JSON.parse(text));
}

/** A value of a schema. Fails with `request_invalid` at the smallest pointer that is wrong, by UTF-16 code units. */
export function shaped<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const found = read.error.issues.map((issue) => {
    const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] as string] : issue.path;
    return { pointer: path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""), message: issue.code === "unrecognized_keys" ? "there is no such member here" : issue.message };
  });
  found.sort((one, other) => (one.pointer < other.pointer ? -1 : one.pointer > other.pointer ? 1 : 0));
  throw new Failure(400, "request_invalid", found[0]!.message, { pointer: found[0]!.pointer });
}

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly pointer?: string;
  readonly offset?: number | undefined;
}

/** What arguments and history may have that is the check's to judge, by the policy's limits. */
const LATER = new Set(["json_number", "json_depth", "json_size"]);

/** What a strict reader says of a text; null where it reads it. */
function problemOf(text: string): Problem | null {
  const line = JSON.stringify({ id: 0, op: "canonicalize", base64: Buffer.from(text).toString("base64") });
  return (JSON.parse(driver.answer(line)) as { error?: Problem }).error ?? null;
}

function refused({ code, message, pointer, offset }: Problem): Failure {
  return new Failure(code === "core_trapped" ? 500 : 400, code, message, { pointer, offset });
}
