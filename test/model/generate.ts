// Makes seeded sessions of chapter 8, feeding the model's own histories, heads and tokens back into them, and answers them with the model.
import { Driver } from "./driver.ts";
import { makeKeys, makePolicy, rotate, TOOLS, type PlainObject } from "./generate-policy.ts";
import { BREAKS, makeCall, plainArguments, print, SPOILS, type Printed, type RequestLine } from "./generate-call.ts";
import { brokenLine, looseLine } from "./generate-lines.ts";
import { badKeys, badPolicy } from "./generate-refused.ts";
import { printed, SessionState, START, type Answered, type Past } from "./generate-session.ts";
import { makeApprovals, spoilToken } from "./generate-sign.ts";
import { headOf, historyDocument, type Head } from "./history.ts";
import { canonical, JsonNumber, read, NO_LIMITS, type Json, type JsonObject } from "./json.ts";
import { Random } from "./random.ts";

export { strip } from "./strip.ts";

/** Lines of chapter 8 for a seed: at least `lines` of them, whole sessions. The same seed gives the same lines. */
export function generate(seed: number, lines: number): string[] {
  return generateAnswered(seed, lines).lines;
}

/** The lines of `generate` with the model's answers, at the price of one. */
export function generateAnswered(seed: number, lines: number): Answered {
  const r = new Random(seed);
  const driver = new Driver();
  const out: Answered = { lines: [], answers: [] };
  for (let session = 0; out.lines.length < lines; session++) new Session(r, driver, out, session).run();
  return out;
}

/** The model's answers, one a line. */
export function answers(lines: string[]): string[] {
  const driver = new Driver();
  return lines.map((line) => driver.answer(line));
}

/** A session's acts: checks, reports, receipts and the rest, drawn one after the other. */
class Session extends SessionState {
  run(): void {
    const { r } = this;
    if (r.chance(0.15)) this.line({ op: "keys", name: "bad", keys: badKeys(r, makeKeys(r, START).document) });
    this.ok({ op: "keys", name: this.keysName, keys: this.keys.document as Printed });
    if (r.chance(0.3)) this.line({ op: "register", name: "bad", policy: badPolicy(r, makePolicy(r)) });
    do this.policy = makePolicy(r);
    while (this.ok({ op: "register", name: this.policyName, policy: this.policy as Printed }) === null);
    for (let left = 8 + r.below(18); left > 0; left--) this.act();
    if (this.handle !== null) this.closeHandle();
    this.forget();
  }

  /** Drops what the driver holds for this session, so that long runs stay small. */
  forget(): void {
    this.driver.policies.delete(this.policyName);
    this.driver.keySets.delete(this.keysName);
  }

  act(): void {
    const { r } = this;
    if (r.chance(0.9)) this.now += r.below(20);
    r.weighted<() => void>([
      [10, () => this.call()],
      [2, () => this.story()],
      [this.questions.length > 0 ? 6 : 0, () => this.confirm()],
      [this.allowedSteps().length > 0 ? 5 : 0, () => this.reportSome()],
      [this.calls.size > 0 ? 2.5 : 0.3, () => this.undo()],
      [this.calls.size > 0 ? 2 : 0.3, () => this.receipt()],
      [this.entries.length > 0 ? 1 : 0.1, () => this.verify()],
      [this.past.length > 1 ? 1.5 : 0, () => this.otherHead()],
      [this.entries.length > 0 ? 0.6 : 0, () => this.tampered()],
      [0.35, () => this.broken()],
      [0.25, () => this.again()],
      [0.2, () => this.rotated()],
      [this.handle === null ? 0.8 : 0.25, () => (this.handle === null ? this.openHandle() : this.closeHandle())],
      [0.8, () => void this.line(looseLine(r))],
      [0.1, () => void this.write(brokenLine(r, this.out.lines.length + 1))],
    ])();
  }

  call(): void {
    const { r } = this;
    const tool = r.chance(0.97) ? r.pick(this.tools()) : r.pick(TOOLS);
    const c = this.circumstances(tool);
    const request = makeCall(r, c);
    if (r.chance(0.35)) r.weighted(SPOILS)(r, request, c);
    if (r.chance(0.08)) r.weighted(SPOILS)(r, request, c);
    if (r.chance(0.05)) request.undo = { step: r.below(this.entries.length + 1) };
    this.check(request);
  }

  /** A call in which nothing is wrong, its questions answered and its outcome told: what later rules build on. */
  happy(tool: string, args: { [name: string]: Printed }, more: RequestLine = {}): boolean {
    if (!this.tools().includes(tool)) return false;
    const given = Object.keys(args);
    const c = { ...this.circumstances(tool), agent: "desk", results: [] };
    const request: RequestLine = { ...makeCall(this.r, c, args), ...more };
    if (more.origins === undefined) request.origins = Object.fromEntries(given.map((name) => [name, "typed"]));
    request.turns = [given.map((name) => String(args[name])).join(" ; ")];
    if (this.r.chance(0.85)) request.context = { card_on_file: true, vip: true };
    let ok = this.check(request);
    const token = ok?.get("confirmation");
    if (typeof token === "string") {
      const approvals = this.isSigned() ? makeApprovals(this.r, this.keys, token, this.now) : undefined;
      ok = this.check({ ...request, confirmation: token, approvals });
    }
    if (ok?.get("decision") !== "allow") return false;
    this.reportStep(this.entries.length - 1, tool);
    return true;
  }

  /** Calls in the order in which a shop makes them: look, charge, then refund, ship, note or read outside. */
  story(): void {
    const { r } = this;
    this.happy("get_order", { order_id: "4411" });
    const charged = this.happy("charge_card", { order_id: "4411", amount: 40 });
    const step = this.entries.length - 1;
    const result = r.weighted([[4, `result:${step}.charge_id`], [1, `result:${step}`], [1, "typed"], [1, `result:${step - 1}.charge_id`]] as const);
    r.weighted<() => void>([
      [3, () => void this.happy("refund_card", { order_id: "4411", ...(r.chance(0.85) ? { charge_id: r.chance(0.9) ? "ch_1" : "ch_2" } : {}) }, { origins: { order_id: "typed", charge_id: result } })],
      [charged ? 4 : 0, () => this.undo()],
      [2, () => void this.happy("ship_order", { order_id: "4411" })],
      [2, () => void this.happy("set_flag", { order_id: "4411", key: "k1" })],
      [2, () => this.outside()],
      [1.5, () => void this.happy("add_note", { order_id: "4411", where: r.pick<Printed>([{ city: "Natal", street: "Rua 1" }, { zip: 1, "a/b": 2 }, { city: 7, more: {} }]) }, { origins: { order_id: "typed", where: "reply" } })],
      [1, () => void this.happy("send_receipt", { order_id: "4411" })],
    ])();
  }

  confirm(): void {
    const { r } = this;
    const question = r.chance(0.75) ? this.questions[this.questions.length - 1] : r.pick(this.questions);
    const request: RequestLine = { ...question.request, now: this.now, confirmation: question.token, approvals: undefined };
    const args = { ...(request.arguments as { [name: string]: Printed }) };
    const names = Object.keys(args);
    r.weighted<() => void>([
      [9, () => undefined],
      [1, () => void (request.confirmation = spoilToken(r, question.token))],
      [1, () => void (request.now = this.now += r.pick([30, 100, 700, 90000]))],
      [1, () => void (request.agent = r.pick([...Object.keys(this.policy.agents as PlainObject), undefined as unknown as string]))],
      [0.5, () => void Object.assign(request, { ...this.other(), confirmation: question.token })],
      [1, () => void (request.arguments = { ...args, ...plainArguments(r, request.tool as string) })],
      [1, () => void (request.labels = { call: [r.pick(["pii", "agent:gone"])] })],
      [1.5, () => void (names.length > 0 && (request.origins = { ...(request.origins as object), [r.pick(names)]: r.pick(["model", "mystery"]) }))],
      [0.4, () => void (request.undo = { step: r.below(this.entries.length + 1) })],
      [0.5, () => (this.again(), undefined)],
      [0.7, () => (this.outside(), undefined)],
      [0.3, () => void (request.explain = true)],
    ])();
    if (r.chance(0.75) && this.isSigned()) request.approvals = makeApprovals(r, this.keys, String(request.confirmation), request.now as number);
    else if (r.chance(0.05)) request.approvals = ["a.b.c"];
    const ok = this.check(request);
    if (ok?.get("reason") === "confirmed" && r.chance(0.3)) this.check({ ...request, now: this.now + 1 });
  }

  /** An outside read, so that a `turn` confirmation and untyped values meet one. */
  outside(): void {
    const reader = this.tools().find((tool) => tool === "read_inbox" || tool === "web_search");
    if (reader !== undefined) this.check(makeCall(this.r, this.circumstances(reader)));
  }

  reportSome(): void {
    const { r } = this;
    const steps = this.allowedSteps();
    const open = steps.filter((step) => !this.told.has(step));
    const step = r.weighted<() => number>([
      [open.length > 0 ? 8 : 0, () => open[open.length - 1]], [open.length > 0 ? 4 : 0, () => r.pick(open)], [0.5, () => r.pick(steps)], [1, () => r.below(this.entries.length + 2)],
    ])();
    const tool = String(this.entries[step]?.get("tool") ?? "");
    const values = this.resultOf(tool);
    const status = r.weighted([[8, "ran"], [1.5, "failed"], [1, "outcome_unknown"], [0.7, "compensated"]] as const);
    const more = {
      status, ...(r.chance(0.65) ? { result: r.chance(0.82) ? values : r.pick<Printed>([{}, "text", [1], null, { charge_id: "ch_1", order_id: new JsonNumber("9007199254740993") }, { order_id: "4411", more: [{ n: new JsonNumber("1e400") }] }]) } : {}),
      ...(r.chance(0.15) ? { external_id: "ext-9" } : {}), ...(r.chance(0.4) ? { at: this.now } : {}),
    };
    const byHandle = this.handle !== null && r.chance(0.8);
    const ok = byHandle
      ? this.ok({ op: "report", handle: this.handle as string, step, ...more })
      : this.ok({ op: "report", policy: this.policyName, keys: this.keysName, session: this.session, history: this.sentHistory(), step, ...more });
    if (!byHandle && ok !== null && this.handle !== null) this.closeHandle();
    const made = this.driver.lastHistory;
    if (ok === null || made === null) return;
    this.told.add(step);
    this.keep(historyDocument(made), headOf(made), made.entries);
    if (status === "ran") for (const [field, value] of Object.entries(values)) this.results.push({ step, field, value });
  }

  undo(): void {
    const { r } = this;
    const undoable = [...this.calls].filter(([, call]) => ["charge_card", "add_note", "set_flag"].includes(String(call.tool)));
    const [step, call] = undoable.length > 0 ? r.pick(undoable) : [r.below(this.entries.length + 1), this.other()];
    if (r.chance(0.7) && this.entries[step] && !this.told.has(step) && r.chance(0.8)) this.reportStep(step, String(call.tool));
    const made = (this.policy.tools as PlainObject[]).find((tool) => tool.name === call.tool);
    const undo = made?.undo as PlainObject | undefined;
    const tool = undo && r.chance(0.95) ? String(undo.tool) : "refund_card";
    const source = call.arguments as { [name: string]: Printed };
    const args: { [name: string]: Printed } = { order_id: r.chance(0.9) ? source.order_id ?? "4411" : "4412" };
    const origins: { [name: string]: Printed } = { order_id: r.pick(["model", "computed", "typed"]) };
    const bind = (undo?.bind ?? {}) as PlainObject;
    if (bind.charge_id !== undefined && r.chance(0.9)) Object.assign(args, { charge_id: "ch_1" }), (origins.charge_id = r.chance(0.85) ? `result:${step}.charge_id` : "typed");
    if (bind.order_id === "result.order_id" && r.chance(0.9)) origins.order_id = `result:${step}.order_id`;
    if (r.chance(0.3)) Object.assign(args, tool === "set_flag" ? { key: "k1" } : { amount: 40 });
    if (args.amount !== undefined) origins.amount = r.pick(["computed", "model", "context"]);
    if (args.key !== undefined) origins.key = r.pick(["computed", "reply", "typed"]);
    const request = makeCall(r, { ...this.circumstances(tool), agent: call.agent as string | undefined }, args);
    Object.assign(request, { arguments: args, origins, undo: { step }, turns: r.chance(0.5) ? ["undo 4411"] : [] });
    if (r.chance(0.1)) request.labels = { arguments: { [r.pick(Object.keys(args))]: ["untrusted:web"] } };
    if (r.chance(0.1)) r.weighted(SPOILS)(r, request, this.circumstances(tool));
    if (r.chance(0.1)) request.agent = r.pick(Object.keys(this.policy.agents as PlainObject));
    if (r.chance(0.5)) request.context = { card_on_file: true, vip: true };
    let ok = this.check(request);
    const token = ok?.get("confirmation");
    if (typeof token === "string" && r.chance(0.7)) {
      ok = this.check({ ...request, confirmation: token, approvals: this.isSigned() ? makeApprovals(r, this.keys, token, this.now) : undefined });
    }
    if (ok?.get("decision") === "allow" && r.chance(0.6)) {
      this.reportStep(this.entries.length - 1, tool, r.weighted([[3, "ran"], [2, "failed"], [1, "outcome_unknown"]] as const));
      if (r.chance(0.6)) this.check({ ...request, now: this.now });
    }
  }

  receipt(): void {
    const { r } = this;
    const steps = [...this.calls.keys()];
    const step = steps.length > 0 && r.chance(0.9) ? (r.chance(0.6) ? steps[steps.length - 1] : r.pick(steps)) : r.below(this.entries.length + 1);
    const call = this.calls.get(step) ?? this.other();
    const line: { [name: string]: Printed | undefined } = {
      op: "receipt", policy: this.policyName, keys: this.keysName, session: this.session, history: this.sentHistory(), tool: call.tool, arguments: call.arguments,
      now: this.now, agent: call.agent, principal: call.principal, step: step === this.entries.length - 1 && r.chance(0.5) ? undefined : step,
      sends: r.chance(0.3) ? r.below(3) : undefined, head: this.head !== null && r.chance(0.2) ? { ...this.head } : undefined,
    };
    r.weighted<() => void>([
      [8, () => undefined],
      [1, () => void (line.tool = r.pick(["get_order", "nothing"]))],
      [1, () => void (line.arguments = { ...(line.arguments as object), order_id: "4413" })],
      [1, () => void (line.agent = r.pick(["helper", undefined as unknown as string]))],
      [1, () => void (line.principal = r.pick([undefined as unknown as Printed, { id: "u-9" }]))],
      [1, () => void (line.now = this.now + r.pick([1000, -1000]))],
      [0.6, () => void (line.step = r.pick([99, -1]))],
      [0.6, () => void (line.history = this.bent())],
      [0.5, () => (this.past.length > 1 ? void (line.head = { ...r.pick(this.past).head }) : undefined)],
      [0.3, () => (this.again(), undefined)],
      [0.7, () => this.lapse()],
    ])();
    this.line(line);
  }

  verify(): void {
    const { r } = this;
    const head = r.chance(0.5) && this.past.length > 0 ? { ...(r.chance(0.5) && this.head ? this.head : r.pick(this.past).head) } : undefined;
    const history = r.weighted<() => Printed>([
      [5, () => this.sentHistory()], [2, () => (this.past.length > 0 ? printed(r.pick(this.past).history) : null)], [2, () => this.bent()],
    ])();
    const session = r.chance(0.95) ? this.session : "another";
    this.line({ op: "verify", policy: this.policyName, keys: this.keysName, session, history, head });
  }

  /** Heads that the history does not end at: behind, forked, ahead, rewritten. */
  otherHead(): void {
    const { r } = this;
    const old = r.pick(this.past);
    const call = () => this.other();
    r.weighted<() => void>([
      [2, () => void this.check(call(), old.history, this.head)],
      [2, () => void this.check(call(), this.history, old.head)],
      [2, () => this.fork(old)],
      [1, () => void this.check(call(), undefined, this.head)],
      [2, () => {
        const twin = this.past.find((p) => p.steps === this.entries.length && p.head.state !== this.head?.state);
        if (twin === undefined) return void this.check(call(), this.history, old.head);
        if (r.chance(0.5)) this.line({ op: "verify", policy: this.policyName, keys: this.keysName, session: this.session, history: printed(twin.history), head: this.head ? { ...this.head } : undefined });
        this.check(call(), twin.history, this.head);
      }],
    ])();
  }

  /** Two branches from one point: the other branch's head does not fit. */
  fork(old: Past): void {
    const mine = { history: this.history, head: this.head, entries: this.entries, results: [...this.results], calls: new Map(this.calls) };
    const ok = this.check(this.other(), old.history, old.head);
    const forked = this.head;
    this.history = mine.history;
    [this.head, this.entries, this.results, this.calls] = [mine.head, mine.entries, mine.results, mine.calls];
    if (ok === null) return;
    this.check(this.other(), this.history, forked);
    if (forked !== null && this.r.chance(0.5)) {
      this.line({ op: "verify", policy: this.policyName, keys: this.keysName, session: this.session, history: this.sentHistory(), head: { ...forked } });
    }
  }

  tampered(): void {
    const ok = this.check(this.other(), fromPrinted(this.bent()), this.r.chance(0.8) ? null : undefined);
    if (ok?.get("reason") === "history_invalid") this.results = [];
  }

  /** The session's history with something wrong in it. */
  bent(): Printed {
    const { r } = this;
    const history = printed(this.history ?? new Map<string, Json>()) as { [name: string]: Printed };
    const entries = history.entries as { [name: string]: Printed }[] | undefined;
    if (entries === undefined || entries.length === 0) return r.pick<Printed>([null, 1, {}, [], { format: "qls-history/1" }]);
    const entry = r.pick(entries);
    const allowed = this.allowedSteps();
    return r.weighted<() => Printed>([
      [2, () => ((entry.at = (entry.at as number) + 1), history)],
      [2, () => ((entry.decision = "allow"), (entry.reason = "allow"), history)],
      [2, () => (entries.splice(r.below(entries.length), 1), history)],
      [1, () => ((entry.extra = 1), history)],
      [1, () => (delete entry.evidence, history)],
      [1, () => ((entry.token = r.pick<Printed>([null, "demo.AAAA", "nodot", `${String(entry.token)}A`])), history)],
      [1, () => ((history.session = "another"), history)],
      [1, () => ((history.format = "qls-history/2"), history)],
      [1, () => ((entry.outcome = r.pick<Printed>([{ status: "ran" }, { status: "maybe" }, {}, null, { status: "ran", more: 1 }, { status: "ran", result: { a: "short" } }])), history)],
      [1, () => ((history.reports = r.pick<Printed>([{ "99": { status: "ran" } }, { "00": { status: "ran" } }, { x: { status: "ran" } }, [], null])), history)],
      [1, () => ((history.reports = { [String(allowed.length > 0 ? r.pick(allowed) : 0)]: { status: r.pick(["ran", "failed"]) } }), history)],
      [1, () => r.pick<Printed>([null, 7, "history", [], true])],
      [1, () => ((entry.labels = ["z"]), history)],
      [1, () => (entries.push(entries[entries.length - 1]), history)],
    ])();
  }

  broken(): void {
    const { r } = this;
    const request = this.other();
    r.pick(BREAKS)(r, request, this.circumstances(String(request.tool)));
    if (r.chance(0.2)) r.pick(BREAKS)(r, request, this.circumstances(String(request.tool)));
    const text = print({ ...request, history: this.history === undefined ? undefined : printed(this.history) });
    const line = { op: "check", policy: this.policyName, keys: this.keysName };
    r.weighted<() => void>([
      [6, () => void this.line({ ...line, request })],
      [1, () => void this.line({ ...line, base64: Buffer.from(text).toString("base64") })],
      [1, () => void this.line({ ...line, base64: Buffer.concat([Buffer.from(text.slice(0, 1 + r.below(text.length))), r.bytes(r.below(3))]).toString("base64") })],
      [1, () => void this.line({ ...line, base64: Buffer.from(text.replace("\"format\"", `"note":"${"x".repeat(1000)}","format"`)).toString("base64") })],
      [1, () => void this.line({ ...line, request: { ...this.other(), arguments: { note: nested(5 + r.below(15)) } } })],
      [1, () => this.cannotSign()],
    ])();
  }

  cannotSign(): void {
    const { active: _active, preview: _preview, ...rest } = this.keys.document;
    this.line({ op: "keys", name: "verifier", keys: rest as Printed });
    this.line({ op: "check", policy: this.policyName, keys: "verifier", request: this.other() });
  }

  /** Registers a changed policy under the same name: tokens given under the old one ask again. */
  again(): void {
    const { r } = this;
    if (this.handle !== null) this.closeHandle();
    const tools = (this.policy.tools as PlainObject[]).map((tool) => ({ ...tool }));
    const changed = r.pick(tools);
    r.weighted<() => void>([
      [3, () => void (changed.description = `changed ${r.below(100)}`)],
      [1, () => void (changed.privilege = r.pick(["low", "normal", "high"]))],
      [1, () => tools.forEach((tool) => void (tool.name === "read_inbox" && (tool.reads_outside = !(tool.reads_outside as boolean))))],
    ])();
    const policy = { ...this.policy, tools };
    if (this.ok({ op: "register", name: this.policyName, policy: policy as Printed }) !== null) this.policy = policy;
  }

  rotated(): void {
    if (this.handle !== null) this.closeHandle();
    this.keys = rotate(this.r, this.keys);
    this.line({ op: "keys", name: this.keysName, keys: this.keys.document as Printed });
  }

  /** The same keys with a licence that has just run out. */
  lapse(): void {
    if (this.handle !== null) this.closeHandle();
    this.keys = { ...this.keys, document: { ...this.keys.document, licence: { id: "L2", expires: this.now } } };
    this.line({ op: "keys", name: this.keysName, keys: this.keys.document as Printed });
  }

  openHandle(): void {
    const name = `h${this.index}`;
    const { r } = this;
    const history = r.chance(0.9) ? this.sentHistory() : this.bent();
    const ok = this.ok({ op: "open", name, policy: this.policyName, keys: this.keysName, session: this.session, history });
    if (ok !== null && this.driver.handles.get(name)?.history.entries.length === this.entries.length && canonical(headNow(ok)) === canonical(headJson(this.head, ok))) this.handle = name;
    else if (ok !== null) this.line({ op: "close", name });
  }
}

const headNow = (ok: JsonObject): Json => new Map(ok);
const headJson = (head: Head | null, otherwise: JsonObject): Json =>
  head === null ? new Map(otherwise) : read(Buffer.from(JSON.stringify(head)), NO_LIMITS);

function fromPrinted(value: Printed): Json {
  return read(Buffer.from(print(value)), NO_LIMITS);
}

function nested(depth: number): Printed {
  return depth === 0 ? "x" : [nested(depth - 1)];
}
