// Sessions over HTTP in each real runtime: decisions as the Node driver's, byte for byte, and no way around a kept head.
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeRuntime } from "../runtime/runtimes.ts";
import * as formulas from "../spec/formulas.ts";
import { Carried, type Json, nodeAnswers, said, send } from "./asking.ts";
import { type Host, HOSTS } from "./hosts.ts";
import { bindings, TENANT, TOKENS } from "./shop.ts";

for (const kind of HOSTS) {
  describeRuntime(`sessions under ${kind.runtime.name}`, [kind.runtime], () => {
    let host: Host;
    beforeAll(async () => {
      host = await kind.start(bindings);
    });
    afterAll(() => host?.stop());
    let count = 0;
    const session = (): Carried => new Carried(host, `chat-${++count}`);
    const ORDER = '{"order_id":"4411"}';
    const CHARGE = '{"order_id":"4411","amount":40.00}';
    const charge = (s: Carried, more: Json = {}) =>
      s.check("charge_card", CHARGE, { origins: { order_id: "typed", amount: "typed" }, turns: ["charge order 4411 40.00"], context: { card_on_file: true }, ...more });

    it("allows, asks, takes a person's yes, and refuses, as the Node driver does", async () => {
      const s = session();
      expect(said(await s.check("get_order", '{ "order_id" : "\\u0034411" }'))).toBe("allow allow");
      const asked = await charge(s);
      expect(said(asked)).toBe("confirm write");
      const charged = await charge(s, { confirmation: asked.json.confirmation });
      expect(said(charged)).toBe("allow confirmed");
      expect(charged.text).toContain('"arguments":{"amount":40,"order_id":"4411"}');
      expect(said(await charge(s, { context: {} }))).toBe("refuse needs-card");
      const precise = await s.check("charge_card", '{"order_id":"1","amount":9007199254740993}', { context: { card_on_file: true } });
      expect([said(precise), precise.json.detail.rule]).toEqual(["refuse argument_schema", "precision"]);
      expect(said(await s.check("get_order", ORDER, { agent: "nobody" }))).toBe("refuse agent_required");
      expect(charged.headers.get("cache-control")).toBe("no-store");
      expect([...charged.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    });

    it("takes reports, whose outcomes rules then see, and undoes", async () => {
      const s = session();
      await s.check("get_order", ORDER);
      expect(said(await s.check("ship", "{}"))).toBe("refuse order_rule");
      expect((await s.report(0, "ran", { result: { total: 12.5 } })).status).toBe(200);
      expect(Object.keys(s.history.reports)).toEqual(["0"]);
      expect(said(await s.check("ship", "{}"))).toBe("allow allow");
      expect((await s.report(2, "failed", { external_id: "x-1" })).status).toBe(200);
      expect(s.history.entries[2].outcome.at).toBeGreaterThan(1.7e9);
      expect((await s.report(2, "ran")).json.error.code).toBe("outcome_already_reported");
      expect((await s.report(9, "ran")).json.error.code).toBe("outcome_no_step");
      const asked = await charge(s);
      await charge(s, { confirmation: asked.json.confirmation });
      await s.report(4, "ran");
      const undo = { undo: { step: 4 }, origins: { order_id: "typed" } };
      expect(said(await s.check("refund_card", ORDER, { ...undo, turns: ["4411"] }))).toBe("allow compensation");
    });

    it("refuses a history whose end was cut off, an old one again, a fork, and one that began elsewhere", async () => {
      const s = session();
      await s.check("get_order", ORDER);
      const old = structuredClone(s.history);
      await s.check("pick_up", "{}");
      const cut = { ...s.history, entries: s.history.entries.slice(0, 1) };
      expect(said(await s.peek("pick_up", "{}", { history: cut }))).toBe("refuse history_invalid behind");
      expect(said(await s.peek("pick_up", "{}", { history: { ...s.history, entries: [] } }))).toBe("refuse history_invalid behind");
      expect(said(await s.peek("get_order", ORDER, { history: old }))).toBe("refuse history_invalid behind");
      // Signed by the same keys, elsewhere: as long as the kept one, and longer.
      const grow = (history: Json, tool: string, args: Json) => {
        const request = { format: "qls-tool-check/1", session: history.session, agent: "desk", tool, arguments: args, now: 1764445000, history };
        return { ...history, entries: [...history.entries, JSON.parse(nodeAnswers(`"op":"check","policy":"p","keys":"k","request":${JSON.stringify(request)}`)).ok.entry] };
      };
      const fork = grow(old, "get_order", { order_id: "9" });
      expect(said(await s.peek("get_order", ORDER, { history: fork }))).toBe("refuse history_invalid forked");
      expect(said(await s.peek("get_order", ORDER, { history: grow(s.history, "get_order", { order_id: "9" }) }))).toBe("refuse history_invalid ahead");
      const elsewhere = session();
      const begun = grow(elsewhere.history, "get_order", { order_id: "1" });
      expect(said(await elsewhere.peek("get_order", ORDER, { history: begun }))).toBe("refuse history_invalid ahead");
      // An outcome that nobody reported to this host.
      const rewritten = structuredClone(s.history);
      rewritten.entries[1].outcome = { status: "failed" };
      expect(said(await s.peek("pick_up", "{}", { history: rewritten }))).toBe("refuse history_invalid rewritten");
      const told = await send(host, "/v1/report", JSON.stringify({ session: s.session, history: cut, step: 0, status: "ran" }));
      expect([said(told), told.json.error.detail]).toEqual(["409 history_invalid", { head: "behind" }]);
      // None of it moved the head.
      expect(said(await s.check("get_order", ORDER))).toBe("allow allow");
    });

    it("admits one of fifty calls made side by side where at_most is 1", async () => {
      const s = session();
      await s.check("get_order", ORDER);
      const answers = await Promise.all(Array.from({ length: 50 }, () => s.peek("pick_up", "{}")));
      const counts: Record<string, number> = {};
      for (const answer of answers) counts[said(answer)] = (counts[said(answer)] ?? 0) + 1;
      expect(counts).toEqual({ "allow allow": 1, "refuse history_invalid behind": 49 });
      const { entry } = answers.find(({ json }) => json.decision === "allow")!.json;
      s.history.entries.push(entry);
      expect(said(await s.check("pick_up", "{}"))).toBe("refuse order_rule");
    });

    it("answers a retry that says so with the same bytes, and decides nothing anew", async () => {
      const s = session();
      const first = await s.peek("pick_up", "{}", {}, { key: "call-0001" });
      expect(said(first)).toBe("allow allow");
      await new Promise((passed) => setTimeout(passed, 1100));
      const [again, ...more] = await Promise.all(Array.from({ length: 5 }, () => s.peek("pick_up", "{}", {}, { key: "call-0001" })));
      expect(again!.text).toBe(first.text);
      expect(new Set(more.map(({ text }) => text))).toEqual(new Set([first.text]));
      // The same bytes without the key, or with another, are another call.
      expect(said(await s.peek("pick_up", "{}"))).toBe("refuse history_invalid behind");
      expect(said(await s.peek("pick_up", "{}", {}, { key: "call-0002" }))).toBe("refuse history_invalid behind");
      expect(said(await s.peek("pick_up", "{ }", {}, { key: "call-0001" }))).toBe("422 idempotency_key_reused");
      s.history.entries.push(first.json.entry);
      const report = JSON.stringify({ session: s.session, history: s.history, step: 0, status: "failed" });
      const told = await send(host, "/v1/report", report, { key: "report-01" });
      expect((await send(host, "/v1/report", report, { key: "report-01" })).text).toBe(told.text);
      expect((await send(host, "/v1/report", report)).status).toBe(409);
      s.history = told.json;
      // Fifty that race with one key are one call.
      const racing = await Promise.all(Array.from({ length: 50 }, () => s.peek("pick_up", "{}", {}, { key: "call-0003" })));
      expect(new Set(racing.map(({ text }) => text)).size).toBe(1);
      expect(said(racing[0]!)).toBe("allow allow");
    });

    it("counts admissions by receipts, in one place", async () => {
      const s = session();
      const asked = await charge(s);
      await charge(s, { confirmation: asked.json.confirmation });
      const wrong = await s.receipt("charge_card", '{"order_id":"4411","amount":41}');
      expect(said(wrong)).toBe("refuse receipt_mismatch");
      const first = await s.receipt("charge_card", CHARGE, {}, { key: "send-0001" });
      expect(said(first)).toBe("allow receipt");
      const head = formulas.headOf(s.history, TENANT);
      const line = `"op":"receipt","policy":"p","keys":"k","session":"${s.session}","history":${JSON.stringify(s.history)},"tool":"charge_card","arguments":${CHARGE},"agent":"desk","now":${s.history.entries[1].at},"head":${JSON.stringify(head)}`;
      expect(first.text).toBe(nodeAnswers(line).slice('{"id":0,"ok":'.length, -1));
      // Admitted once: the same question again is another sending, unless it says that it is the same one.
      expect(said(await s.receipt("charge_card", CHARGE))).toBe("refuse receipt_spent");
      expect((await s.receipt("charge_card", CHARGE, {}, { key: "send-0001" })).text).toBe(first.text);
      expect(said(await s.receipt("charge_card", CHARGE, {}, { token: TOKENS.stranger }))).toBe("403 not_granted");
      const racing = session();
      await racing.check("pick_up", "{}");
      await racing.report(0, "failed");
      const again = await charge(racing);
      await charge(racing, { confirmation: again.json.confirmation });
      const sent = await Promise.all(Array.from({ length: 20 }, () => racing.receipt("charge_card", CHARGE)));
      expect(sent.map(said).sort()).toEqual(["allow receipt", ...Array.from({ length: 19 }, () => "refuse receipt_spent")]);
      const reading = session();
      await reading.check("get_order", ORDER);
      for (let i = 0; i < 2; i++) expect(said(await reading.receipt("get_order", ORDER))).toBe("allow receipt");
      reading.history.entries = [];
      expect(said(await reading.receipt("get_order", ORDER))).toBe("refuse history_invalid behind");
    });

    it("keeps callers of another realm out of a session", async () => {
      const s = session();
      await s.check("get_order", ORDER);
      expect(said(await s.peek("get_order", ORDER, {}, { token: TOKENS.stranger }))).toBe("refuse history_invalid ahead");
      const own = new Carried(host, s.session);
      expect(said(await own.peek("get_order", ORDER, {}, { token: TOKENS.stranger }))).toBe("allow allow");
      expect(said(await s.check("get_order", ORDER))).toBe("allow allow");
      expect(said(await s.peek("get_order", ORDER, { agent: undefined }, { token: TOKENS.model }))).toBe("refuse agent_required");
    });

    it("keeps heads and admissions over a kill", async () => {
      const s = session();
      await s.check("pick_up", "{}");
      const old = structuredClone(s.history);
      expect(said(await s.receipt("pick_up", "{}"))).toBe("allow receipt");
      const asked = await charge(s);
      await charge(s, { confirmation: asked.json.confirmation });
      expect(said(await s.receipt("charge_card", CHARGE))).toBe("allow receipt");
      const last = await s.peek("get_order", ORDER, {}, { key: "last-call" });
      await host.restart();
      expect(said(await s.receipt("charge_card", CHARGE))).toBe("refuse history_invalid behind");
      expect((await s.peek("get_order", ORDER, {}, { key: "last-call" })).text).toBe(last.text);
      s.history.entries.push(last.json.entry);
      expect(said(await s.receipt("charge_card", CHARGE, { step: 2 }))).toBe("refuse receipt_spent");
      expect(said(await s.peek("get_order", ORDER, { history: old }))).toBe("refuse history_invalid behind");
      expect(said(await s.check("get_order", ORDER))).toBe("allow allow");
    });
  });
}
