// Confirmation through the agent's own client: only where the policy says `token` and the caller may bring confirmations.
import { expect, it } from "vitest";
import type { Outcome, Proposal } from "../../../hosts/gateway/call/record.ts";
import { byToken } from "../../../hosts/gateway/doors/mcp/elicit.ts";
import type { McpParts } from "../../../hosts/gateway/doors/mcp/parts.ts";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { callRecord } from "../call.ts";
import { AGENT } from "./house.ts";

async function asked(mode: string, caller: Caller, form: boolean, said: unknown, own = "a-1"): Promise<{ confirmation: string | undefined; shown: unknown; outcome: Outcome | null }> {
  let confirmation: string | undefined;
  let shown: unknown = null;
  const call = callRecord({ approval: own });
  const gateway = {
    policy: async () => ({ id: "p", text: JSON.stringify({ settings: { approval: { mode } } }), source: "", versions: [] }),
    approval: async () => ({ confirmation: "the-token" }),
    call: async (proposal: Proposal) => {
      confirmation = proposal.confirmation;
      return { kind: "result", call, result: "{}", failed: false };
    },
  };
  const outcome = await byToken(
    { gateway } as unknown as McpParts,
    { kind: "pending", call, approval: "a-1", question: { text: "Charge 40?" }, expiresAt: 1 },
    callRecord(),
    {
      caller,
      signal: new AbortController().signal,
      notify: () => undefined,
      asks: {
        url: true,
        form,
        sampling: false,
        ask: async (_method, params) => {
          shown = params;
          if (said instanceof Error) throw said;
          return said;
        },
      },
    },
  );
  return { confirmation, shown, outcome };
}
const TRUSTED: Caller = { ...AGENT, may: new Set(["confirmation"]) };
const YES = { action: "accept", content: { approve: true } };

it("a yes makes the call with the question's token, and shows the core's question", async () => {
  const { confirmation, shown, outcome } = await asked("token", TRUSTED, true, YES);
  expect(confirmation).toBe("the-token");
  expect(shown).toMatchObject({ mode: "form", message: "Charge 40?" });
  expect(outcome?.kind).toBe("result");
});

it("nobody is asked this way where approvals are signed, the caller is not granted it, or the client takes no forms", async () => {
  for (const [mode, caller, form] of [["signed", TRUSTED, true], ["token", AGENT, true], ["token", TRUSTED, false]] as const) {
    expect(await asked(mode, caller, form, YES), mode).toEqual({ confirmation: undefined, shown: null, outcome: null });
  }
});

it("everything but a plain yes leaves the question open", async () => {
  for (const said of [{ action: "decline" }, { action: "cancel" }, { action: "accept" }, { action: "accept", content: { approve: "true" } }, { content: { approve: true } }, null, "yes", new Error("gone")]) {
    expect((await asked("token", TRUSTED, true, said)).confirmation, String(said)).toBeUndefined();
  }
});

it("the question of another call of the turn is that call's own client's to put", async () => {
  expect(await asked("token", TRUSTED, true, YES, "a-2")).toEqual({ confirmation: undefined, shown: null, outcome: null });
});
