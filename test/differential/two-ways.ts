// One random session carried both ways: by a history sent with each request, and by a session handle. Every answer must be the same bytes.

import { BREAKS, makeCall, plainArguments, print, SPOILS, type Printed, type RequestLine } from "../model/generate-call.ts";
import { makeKeys, makePolicy, type MadeKeys, type PlainObject } from "../model/generate-policy.ts";
import { makeApprovals, spoilToken } from "../model/generate-sign.ts";
import { Random } from "../model/random.ts";
import type { Core } from "../setup/core.ts";

const START = 1764445000;

interface Answer { ok?: { [member: string]: unknown }; error?: { code: string } }
interface Entry { decision: string; token: string | null; restarted?: true }
interface History { format: string; session: string; entries: Entry[]; reports?: object }

/** Where the two ways part; the test prints it. */
export class Parted extends Error {}

/** A policy serves this many sessions, so that most of the time goes into them. */
const A_POLICY = 10;

/**
 * Carries sessions both ways.
 * @returns how often each answer was seen; throws `Parted` with the line that replays it
 */
export function carryBothWays(core: Core, first: number, sessions: number, file: string): Map<string, number> {
  const seen = new Map<string, number>();
  for (let seed = first; seed < first + sessions / A_POLICY; seed++) {
    const r = new Random(seed);
    const ground = new Ground(core, r);
    for (let i = 0; i < A_POLICY; i++) {
      try {
        const session = new TwoWays(ground, r);
        session.run(4 + r.below(10));
        for (const [what, count] of session.seen) seen.set(what, (seen.get(what) ?? 0) + count);
      } catch (error) {
        if (error instanceof Parted) error.message += `\nreplay: SEED=${seed} SESSIONS=${A_POLICY} npx vitest run ${file}`;
        throw error;
      }
    }
  }
  console.log(`handles: ${sessions} sessions from seed ${first}; ${[...seen].sort().map(([what, count]) => `${what} ${count}`).join(", ")}`);
  return seen;
}

/** Answers that a run of some hundred sessions reaches. */
export const REACHED = ["allow confirmed", "refuse restarted", "refuse kept", "confirm write", "reported", "error outcome_no_step", "error request_invalid"];

/** A policy and key set that several sessions use, registered under fixed names. */
class Ground {
  readonly keys: MadeKeys;
  readonly policy: PlainObject;

  constructor(readonly core: Core, r: Random) {
    this.keys = makeKeys(r, START);
    this.line({ op: "keys", name: "k", keys: this.keys.document as Printed });
    let policy: PlainObject;
    do {
      policy = makePolicy(r);
      // The member's name would count against it where the history is sent, and not where it is kept.
      const limits = (policy.settings as PlainObject | undefined)?.limits as PlainObject | undefined;
      if (limits !== undefined) delete limits.bytes;
    } while (this.line({ op: "register", name: "p", policy: policy as Printed }).ok === undefined);
    this.policy = policy;
  }

  text(members: RequestLine): string {
    return this.core.line(print({ id: 1, ...members }));
  }

  line(members: RequestLine): Answer {
    return JSON.parse(this.text(members)) as Answer;
  }
}

/** The session. `seen` counts what its answers were. */
class TwoWays {
  readonly seen = new Map<string, number>();
  private readonly session: string;
  private readonly principal: Printed | undefined;
  private history: History | undefined;
  private head: Printed | undefined;
  private now = START + 5;
  private readonly results: { step: number; field: string; value: Printed }[] = [];
  private question: { request: RequestLine; token: string } | undefined;

  constructor(private readonly ground: Ground, private readonly r: Random) {
    this.session = r.pick(["chat-17", "séance", "s/1"]);
    this.principal = r.pick<Printed | undefined>([{ id: "u-1", roles: ["manager"] }, undefined]);
    this.same({ op: "open", policy: "p", keys: "k", session: this.session, name: "h" }, { op: "verify", policy: "p", keys: "k", session: this.session }, (text) => text.replace('{"head":', "").replace(',"valid":true}', ""));
  }

  /** Acts `steps` times, and closes the handle. */
  run(steps: number): void {
    for (let i = 0; i < steps; i++) {
      if (this.r.chance(0.9)) this.now += this.r.below(30);
      const entries = this.history?.entries.length ?? 0;
      if (this.question !== undefined && this.r.chance(0.6)) this.confirm(this.question);
      else if (entries > 0 && this.r.chance(0.35)) this.report();
      else if (entries > 0 && this.r.chance(0.05)) this.reopen();
      else this.check(this.call());
    }
    this.reopen();
    this.ground.line({ op: "close", name: "h" });
  }

  private call(): RequestLine {
    const { r } = this;
    const tools = (this.ground.policy.tools as PlainObject[]).map((tool) => tool.name as string);
    const tool = r.pick(tools);
    const agents = Object.keys(this.ground.policy.agents as PlainObject);
    const c = {
      tool, session: this.session, agent: agents.length > 1 ? r.pick(agents) : r.pick([agents[0], undefined]), now: this.now, language: "en",
      results: this.results, steps: this.history?.entries.length ?? 0, principal: r.chance(0.97) ? this.principal : { id: "another" },
    };
    const request = makeCall(r, c, r.chance(0.7) ? plainArguments(r, tool) : undefined);
    if (r.chance(0.3)) r.weighted(SPOILS)(r, request, c);
    if (r.chance(0.05)) r.pick(BREAKS)(r, request, c);
    if (r.chance(0.08)) request.undo = { step: r.below(c.steps + 1) };
    if (r.chance(0.1)) request.explain = true;
    if (this.head !== undefined && r.chance(0.3)) request.head = r.chance(0.9) ? this.head : { ...(this.head as object), step: 0 };
    return request;
  }

  private confirm({ request, token }: { request: RequestLine; token: string }): void {
    this.question = undefined;
    const confirmation = this.r.chance(0.9) ? token : spoilToken(this.r, token);
    const approvals = this.r.chance(0.7) ? makeApprovals(this.r, this.ground.keys, confirmation, this.now) : undefined;
    this.check({ ...request, head: undefined, now: this.now, confirmation, approvals });
  }

  private check(request: RequestLine): void {
    delete request.history;
    const sent = this.history === undefined ? request : { ...request, history: this.history as unknown as Printed };
    const answer = this.same({ op: "check", handle: "h", request }, { op: "check", policy: "p", keys: "k", request: sent });
    const ok = answer.ok as undefined | { decision: string; reason: string; step: number; confirmation?: string | null; entry: Entry | null };
    if (ok === undefined) return this.count(`error ${answer.error!.code}`);
    this.count(`${ok.decision} ${ok.entry?.restarted ? "restarted" : ok.entry === null ? "kept" : ok.reason.split(":")[0]}`);
    if (ok.entry === null) return;
    if (ok.entry.restarted) this.results.length = 0;
    const entries = ok.entry.restarted ? [] : (this.history?.entries ?? []);
    this.history = { format: "qls-history/1", session: this.session, entries: [...entries, ok.entry] };
    if (typeof ok.confirmation === "string") this.question = { request, token: ok.confirmation };
    this.takeHead();
  }

  private report(): void {
    const { r } = this;
    const step = r.below(this.history!.entries.length + 1);
    const result: { [name: string]: Printed } = { order_id: "4411", charge_id: "ch_1", amount: 40 };
    const told: RequestLine = { op: "report", step, status: r.weighted([[6, "ran"], [1, "failed"], [1, "outcome_unknown"], [1, "compensated"]] as const), result: r.chance(0.7) ? result : undefined, at: r.chance(0.3) ? this.now : undefined };
    const stateless = this.ground.text({ ...told, policy: "p", keys: "k", session: this.session, history: this.history as unknown as Printed });
    const handle = this.ground.text({ ...told, handle: "h" });
    const history = JSON.parse(stateless) as Answer;
    if (history.error !== undefined) {
      this.equal(handle, stateless, told);
      return this.count(`error ${history.error.code}`);
    }
    this.history = history.ok as unknown as History;
    this.count("reported");
    if (told.status === "ran") for (const [field, value] of Object.entries(result)) this.results.push({ step, field, value });
    this.takeHead();
    if (this.head !== undefined) this.equal(JSON.stringify((JSON.parse(handle) as Answer).ok), JSON.stringify(this.head), told);
  }

  /** The head that `verify` tells of the history; undefined where it has grown past its limit. */
  private takeHead(): void {
    const line = { op: "verify", policy: "p", keys: "k", session: this.session, history: this.history as unknown as Printed };
    const verified = this.ground.line(line).ok as { valid: boolean; head: Printed };
    this.head = verified.valid ? verified.head : undefined;
  }

  /** Closes the handle and opens it again on the history that was carried; one that has grown past its limit opens nothing. */
  private reopen(): void {
    if (this.history === undefined || this.head === undefined) return;
    const closed = this.ground.text({ op: "close", name: "h" });
    const opened = this.ground.text({ op: "open", policy: "p", keys: "k", session: this.session, name: "h", history: this.history as unknown as Printed });
    this.equal(closed, opened, { op: "open" });
  }

  /** One line each way; the answers must be equal once `view` has looked at the second. */
  private same(handle: RequestLine, stateless: RequestLine, view = (text: string) => text): Answer {
    const one = this.ground.text(handle);
    const other = this.ground.text(stateless);
    this.equal(one, view(other), stateless);
    return JSON.parse(one) as Answer;
  }

  private equal(handle: string, stateless: string, line: RequestLine): void {
    if (handle !== stateless) throw new Parted(`line:      ${print({ id: 1, ...line })}\nhandle:    ${handle}\nstateless: ${stateless}`);
  }

  private count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }
}
