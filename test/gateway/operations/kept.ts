// What a house keeps, as the tests of erasure look at it.
import type { AuditBody } from "../../../hosts/gateway/audit/entry.ts";
import { type Commit, EngineError } from "../../../hosts/gateway/engine/port.ts";
import type { House } from "../people/house.ts";

/** Everything that the tenant's records say. */
export async function records({ engine }: House): Promise<string> {
  const found: string[] = [];
  for (let after = ""; ; ) {
    const page = await engine.list("shop", "", { limit: 1000, after });
    found.push(...page.map(({ key, value }) => `${key} ${value}`));
    after = page.at(-1)?.key ?? "";
    if (page.length < 1000) return found.join("\n");
  }
}

export const log = async ({ engine }: House): Promise<readonly string[]> => engine.audit("shop", 0, 10_000);
export const bodies = async (of: House): Promise<readonly AuditBody[]> => (await log(of)).flatMap((line) => (JSON.parse(line) as { entry?: AuditBody }).entry ?? []);

/** Looks again each time the engine has done something, until there is something to see. */
export async function until<Found>({ engine }: House, look: () => Promise<Found | null>): Promise<Found> {
  for (let tries = 0; tries < 400; tries++) {
    const found = await look();
    if (found !== null) return found;
    await engine.changed("shop", "retention/next", Number.MAX_SAFE_INTEGER, 25);
  }
  throw new Error("it never came");
}

/** The commits of a house from now on, in their order. @param fails whether the nth is not done, as where the store is not there */
export function watched(of: House, fails: (number: number) => boolean): Commit[] {
  const commits: Commit[] = [];
  const commit = of.engine.commit.bind(of.engine);
  of.engine.commit = async (given) => {
    if (fails(commits.push(given))) throw new EngineError("engine_unavailable", "the store is not there");
    return commit(given);
  };
  return commits;
}
