// Reads what a hook answers, strictly: a slip in an answer is a failed hook, and never an allow.
import { type RawJson, rawMembers } from "interlock";

/** What a pre-call hook says. `arguments` is the JSON text of the whole arguments object, only with `modify`. */
export interface PreAnswer {
  readonly answer: "allow" | "deny" | "modify" | "escalate";
  readonly message: string | null;
  readonly arguments: string | null;
}

/** What a post-call hook says. `result` is the JSON text to give instead, only with `redact`. */
export interface PostAnswer {
  readonly answer: "release" | "redact" | "withhold";
  readonly message: string | null;
  readonly result: string | null;
}

/** Reads a pre-call hook's answer. Throws Error with a sentence that says what is wrong. */
export function preAnswer(text: string): PreAnswer {
  const { answer, message, value } = members(text, ["allow", "deny", "modify", "escalate"], "arguments", "modify");
  if (value !== null && rawMembers(value) === null) throw new Error("its arguments are no JSON object");
  return { answer, message, arguments: value };
}

/** Reads a post-call hook's answer. Throws Error with a sentence that says what is wrong. */
export function postAnswer(text: string): PostAnswer {
  const { answer, message, value } = members(text, ["release", "redact", "withhold"], "result", "redact");
  if (value !== null && rawMembers(value) === null) throw new Error("its result is no JSON object");
  return { answer, message, result: value };
}

/** The longest message that is taken from a hook, in UTF-16 code units. */
const MESSAGE = 2000;

function members<Name extends string>(text: string, answers: readonly Name[], member: string, only: Name): { answer: Name; message: string | null; value: string | null } {
  const found = rawMembers(text);
  if (found === null) throw new Error("it answered no JSON object");
  const values = new Map<string, RawJson>();
  for (const { name, value } of found) {
    if (!["answer", "message", member].includes(name)) throw new Error(`it answered a member that there is not: ${JSON.stringify(name.slice(0, 60))}`);
    if (values.has(name)) throw new Error(`it answered ${name} twice`);
    values.set(name, value);
  }
  const said = parsed(values.get("answer")?.text ?? "null");
  const answer = answers.find((name) => name === said);
  if (answer === undefined) throw new Error(`its answer is none of ${answers.join(", ")}`);
  const message = values.has("message") ? parsed(values.get("message")!.text) : null;
  if (message !== null && typeof message !== "string") throw new Error("its message is no text");
  const value = values.get(member)?.text ?? null;
  if ((value !== null) !== (answer === only)) throw new Error(`${member} belongs to the answer ${only}, and to no other`);
  return { answer, message: message === null ? null : message.slice(0, MESSAGE), value };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error("it answered no JSON");
  }
}
