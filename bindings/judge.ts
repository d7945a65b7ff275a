// Lets the core judge a policy without keeping it: what registration asks of the core.
import { sharedCore } from "./codec.ts";
import { InterlockError, type PolicyProblem } from "./errors.ts";
import { objectText, RawJson } from "./json.ts";

/** What registration needs of the core. */
export interface PolicyJudge {
  /**
   * Judges a policy's JSON text, with the JSON text of an object of remote schemas by URI where there are any: its id, warnings and partly asserted tools; or
   * every problem it has. Throws InterlockError `json_…` where a text is not strict JSON.
   */
  register(policyText: string, documents?: string): { policy: string; warnings: readonly PolicyProblem[]; partial: readonly string[] } | { problems: readonly PolicyProblem[] };
}

/** The core as registration uses it: `register("policy.yaml", policyJudge)`. */
export const policyJudge: PolicyJudge = {
  register(policyText, documents) {
    const core = sharedCore();
    const text = objectText({ policy: new RawJson(policyText), documents: documents === undefined ? undefined : new RawJson(documents) });
    try {
      const { handle, policy, warnings, partial } = JSON.parse(core.run("register", [], text)) as { handle: number; policy: string; warnings: PolicyProblem[]; partial: string[] };
      core.release("releasePolicy", handle, core.generation);
      return { policy, warnings, partial };
    } catch (error) {
      if (error instanceof InterlockError && error.problems !== undefined) return { problems: error.problems };
      throw error;
    }
  },
};
