// Opens houses for a suite and closes each after its test, whose log then has to verify.
import { afterEach } from "vitest";
import type { Outcome } from "../../../hosts/gateway/call/record.ts";
import { POLICY } from "../flow/shop.ts";
import { House, person } from "./house.ts";

export const CHARGE = { order_id: "4411", amount: 40 };
export const ann = person("ann");
export const bob = person("bob");

const open: House[] = [];

/** To be called at the top of a suite's file. */
export function houses(): typeof House.open {
  afterEach(async () => {
    for (const house of open.splice(0)) await house.verifiedClose();
  });
  return async (...given) => {
    const house = await House.open(...given);
    open.push(house);
    return house;
  };
}

/** The shop's policy with other members. */
export const policyWith = (more: Record<string, unknown>): Record<string, unknown> => ({ ...POLICY, ...more });

/** The reason of a refusal; else what it is. */
export const reason = (outcome: Outcome): string => (outcome.kind === "refused" ? outcome.reason : outcome.kind);
