// Completion in the policy: what may stand at a place, also in texts that are half written, in flow and block style.
import { expect, it } from "vitest";
import { completionsAt } from "../../hosts/console/editor/completion.ts";

/** The completions where `|` stands. */
function offered(marked: string): string[] {
  const offset = marked.indexOf("|");
  const text = marked.replace("|", "");
  return completionsAt(text, offset).options.map(({ label }) => label);
}

const TOOLS = "tools:\n  - name: look_up\n    effect: read\n  - name: change_it\n";

it.each<[string, string, string[], string?]>([
  ["an empty document", "|", ["format", "tenant", "agents", "tools", "rulebook", "settings", "documents"]],
  ["the top, but for what is there", "tenant: t\n|\nsettings: {}\n", ["format", "agents", "tools", "rulebook", "documents"]],
  ["a member half written", "settings:\n  tai|\n", ["taint_policy", "taint_scope"], "tai"],
  ["a member in the middle of others", "settings:\n  taint_policy: refuse\n  un|\n  language: en\n", ["unread", "undeclared_arguments"], "un"],
  ["an agent", "agents:\n  a:\n    |\n", ["privilege", "tools", "defaults"]],
  ["an agent in flow style", "agents: {a: {|}}\n", ["privilege", "tools", "defaults"]],
  ["an agent in flow style, after another member", "agents: {a: {tools: [x], |}}\n", ["privilege", "defaults"]],
  ["an agent's name", "agents:\n  |\n", []],
  ["a tool's words", "tools:\n  - name: x\n    effect: |\n", ["read", "write"]],
  ["a tool's words, half written", "tools:\n  - name: x\n    effect: wr|\n", ["read", "write"]],
  ["a truth", "tools:\n  - name: x\n    sends_out: |\n", ["true", "false"]],
  ["a privilege in flow style", "agents: {a: {privilege: |, tools: []}}\n", ["low", "normal", "high"]],
  ["an import's members", "tools:\n  - mcp: ./x.json\n    pre|\n", ["prefix"], "pre"],
  ["a tool in an agent's list", `agents:\n  a:\n    tools: [look_up, |]\n${TOOLS}`, ["look_up", "change_it"]],
  ["a tool in a block list", `agents:\n  a:\n    tools:\n      - |\n${TOOLS}`, ["look_up", "change_it"]],
  ["what a tool may not come after", `${TOOLS}    not_after: [|]\n`, ["look_up", "change_it", "untrusted"]],
  ["the undo's tool", `${TOOLS}    undo:\n      tool: |\n`, ["look_up", "change_it"]],
  ["a flow's tools", `${TOOLS}rulebook:\n  flows:\n    - name: f\n      on: [|]\n`, ["look_up", "change_it"]],
  ["a fact in a condition", "rulebook:\n  facts: [card_on_file]\n  flows:\n    - name: f\n      on: []\n      rules:\n        - id: r\n          allow_if: $|\n", ["$card_on_file"]],
  ["an order rule, a word or a mapping", `${TOOLS}    after: [|]\n`, ["look_up", "change_it", "tool", "bind"]],
  ["a rule's members", "rulebook:\n  flows:\n    - name: f\n      on: []\n      rules:\n        - id: r\n          |\n", ["allow_if", "refuse_if", "ask_if", "because", "question"]],
  ["inside a comment", "settings: {}  # ta|\n", []],
  ["inside a schema, which is the tool's own", "tools:\n  - name: x\n    parameters:\n      |\n", []],
  ["inside quotes", 'tenant: "t|"\n', []],
  ["a text that cannot be read", "tools: [\n  - {|\n", []],
])("%s", (_, marked, expected, prefix = "") => {
  expect(offered(marked).filter((label) => prefix === "" || label.startsWith(prefix))).toEqual(expected);
});
