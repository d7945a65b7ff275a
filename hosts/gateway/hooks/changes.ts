// Which top-level arguments a hook changed, by their canonical texts.
import { type LineDriver, rawMembers } from "interlock";

/** The canonical text of a JSON text; null where the core does not read it. */
export function canonical(driver: LineDriver, text: string): string | null {
  const base64 = Buffer.from(text, "utf8").toString("base64");
  const { ok } = JSON.parse(driver.answer(`{"id":0,"op":"canonicalize","base64":"${base64}"}`)) as { ok?: unknown };
  return typeof ok === "string" ? ok : null;
}

/** Names of top-level arguments whose canonical value is new or another; arguments that are gone are not named. Both texts are canonical objects. */
export function changedArguments(before: string, after: string): string[] {
  const had = new Map((rawMembers(before) ?? []).map(({ name, value }) => [name, value.text]));
  return (rawMembers(after) ?? []).filter(({ name, value }) => had.get(name) !== value.text).map(({ name }) => name);
}
