// The core as web hosts use it: chapter 8's lines, so that a request's text reaches it as it came and answers are the Node driver's, byte for byte.
import { InterlockError, type LineDriver, lineDriver, rawMembers } from "interlock";
import { Failure } from "./failure.ts";

/** A history's end as chapter 3 has it. */
export interface Head {
  readonly step: number;
  readonly link: string;
  readonly state: string;
}

/** Errors that the caller can do nothing about. */
const OURS = new Set(["keys_cannot_sign", "name_unknown", "op_unknown", "core_trapped", "line_invalid"]);

/** What the core answers a line: the canonical text of `ok`. Where it answers an error: a Failure with its code. */
export class Core {
  readonly #driver: LineDriver = lineDriver();
  /** The policy's id. */
  readonly policy: string;

  /**
   * Loads a compiled policy and a key set.
   * Throws InterlockError `policy_invalid` (with `problems`), `keys_invalid`, `keys_preview` (decisions would be unsigned), `line_invalid` (a text is not JSON).
   */
  constructor(policyText: string, keysText: string) {
    const { policy, documents } = compiledParts(policyText);
    this.policy = (
      JSON.parse(this.#load(`"op":"register","name":"p","policy":${policy}${documents === null ? "" : `,"documents":${documents}`}`, "the policy")) as { policy: string }
    ).policy;
    if (rawMembers(keysText) === null) throw new InterlockError("keys_invalid", "the key set is no JSON object");
    const { preview } = JSON.parse(this.#load(`"op":"keys","name":"k","keys":${keysText}`, "the key set")) as { preview: boolean };
    if (preview) throw new InterlockError("keys_preview", "this is a preview's key set: it signs nothing, and a host that decides needs keys");
  }

  /** Decides a request (chapter 4) given as JSON text; the answer's text. */
  check(text: string): string {
    // A text that is no object would end the line early; as bytes it cannot. They also give an error its offset in the request.
    if (rawMembers(text) !== null) {
      const answer = this.#line(`"op":"check","policy":"p","keys":"k","request":${text}`);
      if (answer.startsWith(OK)) return answer.slice(OK.length, -1);
    }
    return this.#ask(`"op":"check","policy":"p","keys":"k","base64":"${base64(new TextEncoder().encode(text))}"`);
  }

  /** Refuses bytes that are not UTF-8, in the core's words. */
  refuseBytes(bytes: Uint8Array): never {
    this.#ask(`"op":"canonicalize","base64":"${base64(bytes)}"`);
    throw new Failure(400, "json_encoding", "the body is not UTF-8");
  }

  /** Refuses a text that is no JSON object: in the core's words where it is no JSON. */
  refuseText(text: string): never {
    this.#ask(`"op":"canonicalize","base64":"${base64(new TextEncoder().encode(text))}"`);
    throw new Failure(400, "request_invalid", "the body has to be one JSON object", { pointer: "" });
  }

  /** Another operation on named members, each with its JSON text; the texts are one value each. Pointers of errors are into these members. */
  run(op: "report" | "receipt" | "verify", members: readonly (readonly [string, string])[]): string {
    const texts = members.map(([name, text]) => `,${JSON.stringify(name)}:${text}`).join("");
    try {
      return this.#ask(`"op":"${op}","policy":"p","keys":"k"${texts}`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // The line is no strict JSON because a member is none: the core says what is wrong with the members alone.
      if (error.code === "line_invalid") this.#ask(`"op":"canonicalize","base64":"${base64(new TextEncoder().encode(`{${texts.slice(1)}}`))}"`);
      throw new Failure(error.status, error.code, error.message, { pointer: error.more.pointer });
    }
  }

  /** The head of a session without entries. `session` is the JSON text of its name. */
  firstHead(session: string): Head {
    return this.headOf(session, `{"format":"qls-history/1","session":${session},"entries":[]}`);
  }

  /** The end of a history, which has to verify. */
  headOf(session: string, history: string): Head {
    const verified = JSON.parse(
      this.run("verify", [
        ["session", session],
        ["history", history],
      ]),
    ) as { valid: boolean; head: Head };
    if (!verified.valid) throw new Failure(500, "core_trapped", "a history that the core made does not verify");
    return verified.head;
  }

  #load(members: string, what: string): string {
    const answer = this.#line(members);
    if (answer.startsWith(OK)) return answer.slice(OK.length, -1);
    const { code, message, ...place } = (JSON.parse(answer) as { error: { code: string; message: string } }).error;
    throw new InterlockError(code, code === "line_invalid" ? `${what} is not strict JSON` : message, place);
  }

  #ask(members: string): string {
    const answer = this.#line(members);
    if (answer.startsWith(OK)) return answer.slice(OK.length, -1);
    const { code, message, pointer, offset } = (JSON.parse(answer) as { error: { code: string; message: string; pointer?: string; offset?: number } }).error;
    throw new Failure(OURS.has(code) ? 500 : code.startsWith("outcome_") || code === "history_invalid" ? 409 : 400, code, message, { pointer, offset });
  }

  #line(members: string): string {
    return this.#driver.answer(`{"id":0,${members}}`);
  }
}

const OK = '{"id":0,"ok":';

/** The compiled policy's members, and the remote schemas that `interlock register` writes beside them. */
function compiledParts(text: string): { policy: string; documents: string | null } {
  const members = rawMembers(text);
  if (members === null) throw new InterlockError("policy_invalid", "the policy is no JSON object: what `interlock register` writes is needed, not its YAML source");
  const kept = members.filter(({ name }) => name !== "documents");
  const policy = `{${kept.map(({ name, value }) => `${JSON.stringify(name)}:${value.text}`).join(",")}}`;
  return { policy, documents: members.find(({ name }) => name === "documents")?.value.text ?? null };
}

/** Standard base64, in pieces that fit on a call's stack. */
function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
