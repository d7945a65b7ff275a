// The pipeline's pure rows: the core against the model on made names and facts, every row; names beyond ASCII; and facts that cannot be judged.
import { gateRow, InterlockError, type RowFacts } from "interlock";
import { describe, expect, it } from "vitest";
import * as model from "../model/pipeline.ts";
import { Random } from "../model/random.ts";

const random = new Random(7);
const pick = <T>(of: readonly T[]): T => of[random.below(of.length)]!;

const PARTS = ["mcp", "__", "_", "interlock", "Interlock", "INTERLOCK", "approve", "list", "List", "read", "Read", "get", "to", "Mcp", "server", "Resource", "resources", "s", "template", "Templates", "Tool", "tool", "-", ".", " ", "files", "a", "x1", "resources_read", "resources_list", "templates_list", "subscribe", "unsubscribe", "fetch", "é", "𝒳"];
const name = (): string => Array.from({ length: 1 + random.below(7) }, () => pick(PARTS)).join("");
const resources = (): string => [pick(["list", "Read", "get", "fetch", "Subscribe", "un"]), pick(["", "_", "-"]), pick(["", "to", "T"]), pick(["mcp", "MCP", "mc"]), pick(["", "_"]), pick(["", "server"]), pick(["resource", "Resources"]), pick(["", "s", "_templates", "template"]), pick(["", "Tool", "_tool", "tools"])].join("");
const ascii = (text: string): string => text.replace(/[^\0-\x7f]/gu, "z");

const SERVERS = ["files", "fi.les", "fi les", "fi_les", "issues", "ä", "a__b", "a"];
const CALLED = ["read", "re.ad", "re_ad", "b__read", "x", "𝒳", "_"];

function offered(): model.Function[] {
  return Array.from({ length: random.below(6) }, () =>
    random.below(3) === 0 ? { tool: pick(["Read", "Bash", "mcp__files__read", "files.read"]) } : { tool: `t${random.below(9)}`, server: pick(SERVERS), function: pick(CALLED) },
  );
}

const text = (): string | null => pick(["a", "b", "", null, "a\u0000", "á"]);
const bound = () => ({ digest: text(), listing: text(), policy: text() });

describe("the core's pure rows are the model's", () => {
  it("H1 and H1a", () => {
    let refused = 0;
    for (let i = 0; i < 30_000; i++) {
      const made = ascii(random.below(4) === 0 ? resources() : name());
      expect(gateRow("H1", { name: made }), made).toEqual(model.h1(made));
      const listed = gateRow("H1a", { name: made });
      expect(listed, made).toEqual(model.h1a(made));
      if (listed.answer === "refuse") refused++;
    }
    expect(refused).toBeGreaterThan(50);
  });

  it("H2 and H2a", () => {
    const seen = new Set<string>();
    for (let i = 0; i < 20_000; i++) {
      const functions = offered();
      const made = random.below(3) === 0 ? pick(["Read", "Bash", "files.read", "", name()]) : `mcp__${pick(SERVERS).replace(/[^A-Za-z0-9_-]/gu, "_")}__${pick(CALLED).replace(/[^A-Za-z0-9_-]/gu, "_")}`;
      const there = gateRow("H2a", { name: made, offered: functions });
      expect(there, JSON.stringify([made, functions])).toEqual(model.h2a(made, functions));
      expect(gateRow("H2", { name: made, offered: functions }), JSON.stringify([made, functions])).toEqual(model.h2(made, functions));
      seen.add(there.answer === "passed" ? `passed ${there.tool !== undefined}` : there.reason);
    }
    expect([...seen].sort()).toEqual(["ambiguous_name", "passed false", "passed true", "unknown_tool"]);
  });

  it("18, 22, 34 and 37", () => {
    for (let i = 0; i < 20_000; i++) {
      const [one, two, three, four, five] = [text(), text(), text(), bound(), random.below(2) === 0 ? bound() : null];
      expect(gateRow("22", { digest: one, decided: two, approved: three })).toEqual(model.row22(one, two, three));
      expect(gateRow("34", { decided: one, policy: two })).toEqual(model.row34(one, two));
      expect(gateRow("37", { approved: one, listed: two, decided: three })).toEqual(model.row37(one, two, three));
      expect(gateRow("18", { approved: four, now: five ?? four })).toEqual(model.row18(four, five ?? four));
    }
  });
});

it("a name that only looks like the runtime's own is its own", () => {
  for (const disguised of ["ｉnterlock", "𝗶nterlock", "inter\u200block", "mcp__ｉｎterlock__approve", "INTERLOCK-check", "ｌist_mcp_resources", "List\u00adMcpResources"]) {
    expect([gateRow("H1", { name: disguised }).answer, gateRow("H1a", { name: disguised }).answer], disguised).toContain("refuse");
  }
  for (const honest of ["interlocking", "interlocked_list", "Read", "mcp__files__read", "unlock", "list_resources", "read_resource", "дом", ""]) {
    expect([gateRow("H1", { name: honest }).answer, gateRow("H1a", { name: honest }).answer], honest).toEqual(["passed", "passed"]);
  }
});

it("facts that are missing or of a wrong type are told at their place, and are never passed", () => {
  const wrong: readonly [row: string, facts: unknown, pointer: string][] = [
    ["18", { approved: { digest: "a", listing: "b", policy: "c" } }, "/now/digest"],
    ["18", { approved: { digest: "a", listing: 1, policy: "c" }, now: { digest: "a", listing: 1, policy: "c" } }, "/approved/listing"],
    ["22", { digest: "a", decided: "a" }, "/approved"],
    ["34", { decided: "a", policy: ["a"] }, "/policy"],
    ["37", { approved: "a", listed: "a" }, "/decided"],
    ["H1", {}, "/name"],
    ["H1a", { name: null }, "/name"],
    ["H2", { name: "x" }, "/offered"],
    ["H2", { name: "x", offered: [{ server: "a", function: "b" }] }, "/offered"],
    ["H2a", { name: "x", offered: [{ tool: "a", server: "b" }] }, "/offered"],
    ["12", {}, "/row"],
    ["__proto__", {}, "/row"],
  ];
  for (const [row, facts, pointer] of wrong) {
    let error: unknown;
    try {
      gateRow(row as keyof RowFacts, facts as never);
    } catch (thrown) {
      error = thrown;
    }
    expect(error, row).toBeInstanceOf(InterlockError);
    expect(error).toMatchObject({ code: "request_invalid", pointer });
  }
  expect(() => gateRow("H1", { name: "\ud800" })).toThrow(expect.objectContaining({ code: "json_surrogate" }));
});
