// The turns held apart are well formed: ids, counts, policies, and expected plans that fit their policies. Nothing is read here.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { policyJudge } from "interlock";
import { register } from "interlock/register";
import { describe, expect, it } from "vitest";
import { destinations } from "../model/destinations";
import { canonical, json } from "../model/json";
import { eighthTurns, fifthTurns, fourthTurns, ninthTurns, openTurns, policyNames, policyText, secondTurns, seventhTurns, sixthTurns, thirdTurns, type Turn, turns } from "./held-apart/set";

interface Tool {
  name: string;
  effect: string;
  parameters: { properties: Record<string, object>; required?: string[] };
}

interface Policy {
  agents: Record<string, { tools: string[] }>;
  settings: { language: string };
  tools: Tool[];
}

const policies = new Map(policyNames.map((name) => [name, JSON.parse(policyText(name)) as Policy]));
// `formats.default` where the module is seen as CommonJS.
const addFormats = (formats as unknown as { default?: typeof formats }).default ?? formats;
const ajv = new Ajv2020({ strict: false });
addFormats(ajv as never);

const formed = [...turns, ...secondTurns, ...fourthTurns, ...fifthTurns, ...sixthTurns, ...seventhTurns, ...eighthTurns, ...ninthTurns];

function toolsOf(turn: Turn): Map<string, Tool> {
  const policy = policies.get(turn.policy)!;
  const names = policy.agents[turn.agent]!.tools;
  return new Map(policy.tools.filter(({ name }) => names.includes("*") || names.includes(name)).map((tool) => [tool.name, tool]));
}

describe("the policies", () => {
  it.each(policyNames)("%s registers without a problem, and is in the compiled form", async (name) => {
    const { id, problems, partial } = await register([{ path: `${name}.json`, text: policyText(name) }], policyJudge);
    // What makes the reading of turns ambiguous is what some of these policies are for.
    expect(problems.filter(({ code }) => !code.startsWith("catalogue_"))).toEqual([]);
    expect(partial).toEqual([]);
    const compiled = canonical(json(JSON.parse(policyText(name))));
    expect(id).toBe(createHash("sha256").update(`qls-policy/1\n${compiled}`).digest("base64url"));
  });

  it("each is used, and each turn's language is its policy's", () => {
    expect([...new Set(formed.map(({ policy }) => policy))].sort()).toEqual([...policyNames].sort());
    expect(formed.filter(({ policy, language }) => policies.get(policy)!.settings.language !== language)).toEqual([]);
  });
});

describe("the turns", () => {
  it("have ids of their own, and no turn stands twice", () => {
    expect(new Set([...formed, ...openTurns].map(({ id }) => id)).size).toBe(formed.length + openTurns.length);
    const texts = formed.map(({ policy, agent, turn }) => `${policy} ${agent} ${turn}`);
    // Whoever wrote the ninth set had not seen the sixth.
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual(["gym trainer award athlete 5 the silver badge"]);
  });

  it("are at least a hundred a language and half", () => {
    for (const language of ["en", "pt-BR"]) for (const half of ["harmless", "decline"]) expect(turns.filter((turn) => turn.language === language && turn.half === half).length).toBeGreaterThanOrEqual(100);
  });

  it("of the third set are at least a hundred a language and half", () => {
    for (const language of ["en", "pt-BR"]) for (const half of ["harmless", "decline"]) expect(thirdTurns.filter((turn) => turn.language === language && turn.half === half).length).toBeGreaterThanOrEqual(100);
  });

  it("of the fourth set are at least 250 a language and half", () => {
    for (const language of ["en", "pt-BR"]) for (const half of ["harmless", "decline"]) expect(fourthTurns.filter((turn) => turn.language === language && turn.half === half).length).toBeGreaterThanOrEqual(250);
  });

  it("of the fifth set are at least 125 a language and half", () => {
    for (const language of ["en", "pt-BR"]) for (const half of ["harmless", "decline"]) expect(fifthTurns.filter((turn) => turn.language === language && turn.half === half).length).toBeGreaterThanOrEqual(125);
  });

  it.each([
    ["sixth", sixthTurns, 130],
    ["seventh", seventhTurns, 130],
    ["eighth", eighthTurns, 110],
    ["ninth", ninthTurns, 130],
  ] as const)("of the %s set are at least so many a language and half", (_, set, least) => {
    for (const language of ["en", "pt-BR"]) for (const half of ["harmless", "decline"]) expect(set.filter((turn) => turn.language === language && turn.half === half).length).toBeGreaterThanOrEqual(least);
  });

  it("of the second set are at least eighty a language and half", () => {
    for (const language of ["en", "pt-BR"]) for (const half of ["harmless", "decline"]) expect(secondTurns.filter((turn) => turn.language === language && turn.half === half).length).toBeGreaterThanOrEqual(80);
  });

  it("repeat no sentence with other values more than three times", () => {
    const frames = new Map<string, string[]>();
    for (const { id, policy, turn } of formed) {
      const frame = `${policy} ${turn.toLowerCase().replace(/\S*[@＠:/\\]\S*|\d[\d.,/-]*/g, "_")}`;
      frames.set(frame, [...(frames.get(frame) ?? []), id]);
    }
    expect([...frames.values()].filter((ids) => ids.length > 3)).toEqual([]);
  });
});

describe("the expected plans", () => {
  it.each(formed.map((turn) => [turn.id, turn] as const))("%s", (_, turn) => {
    const { declined, outcome, rules, may, because, steps, tools, missing } = turn.expect;
    expect(declined).toBe(outcome === "declined");
    expect(turn.half === "decline").toBe(outcome === "declined" || outcome === "confirm");
    if (turn.half === "decline") expect(turn.why).toMatch(/^[56] /);
    expect(rules !== undefined).toBe(declined);
    if (rules) {
      expect([...rules].sort()).toEqual(rules);
      expect(rules.filter((rule) => !/^S[1-4]$/.test(rule) || may?.includes(rule))).toEqual([]);
      if (because !== undefined) expect(because.split("; ").map((part) => part.slice(0, 2))).toEqual(rules);
    }
    const own = toolsOf(turn);
    expect([...(tools ?? []), ...(steps ?? []).map(({ tool }) => tool)].filter((name) => !own.has(name))).toEqual([]);
    for (const step of steps ?? []) {
      const { properties, required = [] } = own.get(step.tool)!.parameters;
      if (step.arguments) {
        expect(ajv.validate({ ...own.get(step.tool)!.parameters, additionalProperties: false }, step.arguments), ajv.errorsText()).toBe(true);
        expect(Object.keys(step.origins ?? {}).filter((name) => !(name in step.arguments!))).toEqual([]);
      } else if (missing) expect(missing.filter((name) => !required.includes(name) || !(name in properties))).toEqual([]);
      if (step.decided_by === "tool: derived" && own.get(step.tool)!.effect === "write") expect(outcome).toBe("confirm");
    }
    if (outcome === "run") expect(steps?.every((step) => step.arguments !== undefined)).toBe(true);
  });
});

describe("addresses, by the model of chapter 5", () => {
  const PATH = /^(?:\/|\.\.\/|~\/)/;
  const named = formed.filter(({ expect: { because } }) => because?.includes("S2 destination: "));
  it.each(named.map((turn) => [turn.id, turn] as const))("%s names what S2 must name", (_, { turn, expect: { because } }) => {
    const value = /S2 destination: (.*?)(?:; S\d.*)?$/s.exec(because!)![1]!;
    if (PATH.test(value)) expect(turn).toContain(value);
    else expect(destinations(turn, null).map(({ text }) => text)).toContain(value);
  });

  const s2 = formed.filter(({ turn, expect: { rules, because }, why }) => !/ \//.test(turn) && rules?.includes("S2") && because === undefined && !why?.includes("a place") && !why?.startsWith("6 S3") && !why?.startsWith("6 S4"));
  it.each(s2.map((turn) => [turn.id, turn] as const))("%s holds an address", (_, { turn }) => {
    expect(destinations(turn, null).length).toBeGreaterThan(0);
  });

  it("none is in a turn that only looks like it holds one", () => {
    const looks = formed.filter(({ tag }) => tag === "no address");
    expect(looks.length).toBeGreaterThan(8);
    expect(looks.filter(({ turn }) => destinations(turn, null).length > 0).map(({ id }) => id)).toEqual([]);
  });
});

it("the README says how many there are", () => {
  const kinds: [string, (turn: Turn) => boolean][] = [
    ["harmless", ({ half }) => half === "harmless"],
    ["S1", ({ expect: { rules } }) => rules?.includes("S1") ?? false],
    ["S2", ({ expect: { rules } }) => rules?.includes("S2") ?? false],
    ["S3", ({ expect: { rules } }) => rules?.includes("S3") ?? false],
    ["S4", ({ expect: { rules } }) => rules?.includes("S4") ?? false],
    ["more than one rule", ({ expect: { rules } }) => (rules?.length ?? 0) > 1],
    ["confirmed", ({ expect: { outcome } }) => outcome === "confirm"],
    ["must be declined or confirmed", ({ half }) => half === "decline"],
    ["together", () => true],
  ];
  const rows = (set: Turn[]) => kinds.map(([kind, is]) => {
    const found = set.filter(is);
    return `| ${kind} | ${found.filter(({ language }) => language === "en").length} | ${found.filter(({ language }) => language === "pt-BR").length} |`;
  });
  const readme = readFileSync(new URL("held-apart/README.md", import.meta.url), "utf8");
  for (const set of [turns, secondTurns, thirdTurns, fourthTurns, fifthTurns, sixthTurns, seventhTurns, eighthTurns, ninthTurns]) expect(readme).toContain(["| what | en | pt-BR |", "| --- | ---: | ---: |", ...rows(set)].join("\n"));
  expect(readme).toContain(`${openTurns.length} open questions`);
});
