// Takes out of an answer line what is free between versions (chapter 4: sentences), so that the model and the core compare byte for byte.
import { canonical, isObject, read, NO_LIMITS, type Json, type JsonObject } from "./json.ts";

/** Where in a schema its problem stands is free, and how many are told; that it is this schema is not. */
function problems(error: Json | undefined): void {
  const seen = new Set<string>();
  const list = child(error, "problems");
  if (!isObject(error) || !Array.isArray(list)) return;
  error.set("problems", list.filter((problem) => {
    if (!isObject(problem)) return true;
    without(problem, "message");
    if (problem.get("code") !== "policy_schema") return true;
    problem.set("pointer", (problem.get("pointer") as string).split("/").slice(0, 4).join("/"));
    const pointer = problem.get("pointer") as string;
    return !seen.has(pointer) && seen.add(pointer) !== undefined;
  }));
}

/**
 * The line without its sentences: `error.message`, `problems[].message`, `warnings[].message`, `detail.message`, `detail.hint`, the texts of
 * `question` (with `title`, `target` and the values as shown), the names and details in a `trace`, and why a `rule` line failed.
 */
export function strip(line: string): string {
  const answer = read(Buffer.from(line, "utf8"), NO_LIMITS);
  if (!isObject(answer)) return line;
  without(answer.get("error"), "message");
  problems(child(answer, "error"));
  // Where in the schema is free here too.
  if (child(answer.get("error"), "code") === "schema_invalid") without(answer.get("error"), "pointer");
  const ok = answer.get("ok");
  if (isObject(ok)) {
    each(ok, "warnings", (warning) => {
      without(warning, "message");
      // Where in the schema is free; that it is this schema is not.
      if (warning.get("code") === "schema_partial") warning.set("pointer", (warning.get("pointer") as string).split("/").slice(0, 4).join("/"));
    });
    without(ok.get("detail"), "message", "hint");
    without(ok.get("question"), "title", "text", "target");
    for (const list of ["reasons", "marks"]) each(child(ok, "question"), list, (item) => without(item, "text"));
    each(child(ok, "question"), "arguments", (item) => without(item, "value"));
    each(ok, "trace", (item) => without(item, "check", "detail"));
    if (typeof ok.get("error") === "string") ok.set("error", true);
  }
  return canonical(answer);
}

function child(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value.get(name) : undefined;
}

function without(value: Json | undefined, ...names: string[]): void {
  if (isObject(value)) for (const name of names) value.delete(name);
}

function each(value: Json | undefined, name: string, change: (item: JsonObject) => void): void {
  const list = child(value, name);
  if (Array.isArray(list)) for (const item of list) if (isObject(item)) change(item);
}
