// Registers a policy from its sources: compile, let the core judge, and give every problem its place. Neutral: files and servers come from the surroundings.
import { ambiguities } from './ambiguous.ts';
import { compile, type Compiled, type Imported, type Surroundings } from './compile.ts';
import { type CoreProblem, placed } from './judged.ts';
import type { JsonObject, JsonValue } from './position.ts';
import { type Problem, sortProblems } from './problems.ts';

/** What registration needs of the core. `documents` is the JSON text of an object of remote schemas by URI, where there are any. */
export interface RegisteringCore {
  register(policyText: string, documents?: string):
    | { policy: string; warnings: readonly CoreProblem[]; partial: readonly string[] }
    | { problems: readonly CoreProblem[] };
}

/** What registering gives. Where a problem is an error, `policy` and `id` are null and the policy in force stays. */
export interface Registered {
  /** The compiled policy's id. */
  id: string | null;
  /** The policy's members, defaults left out, as they were given to the core. */
  policy: JsonObject | null;
  /** The same as JSON text; empty where `policy` is null. */
  text: string;
  documents: Record<string, JsonValue>;
  /** Errors and warnings of the sources and of the core, in the order they stand. */
  problems: Problem[];
  /** The tools whose schemas hold a part that is not asserted. */
  partial: string[];
  /** Which server tool stands behind each imported tool. */
  imported: Imported[];
}

/** Registers the policy in `file`, whose content is given. The core's problems join those of the sources: all are told at once. */
export async function registerFrom(file: string, content: string | Uint8Array, surroundings: Surroundings, core: RegisteringCore): Promise<Registered> {
  return judge(await compile(file, content, surroundings), core);
}

/** Lets the core judge what was compiled. What the core throws is thrown on, unless the sources have errors of their own. */
export function judge(compiled: Compiled, core: RegisteringCore): Registered {
  const refused = (problems: Problem[]): Registered => (
    { id: null, policy: null, text: '', documents: compiled.documents, problems: sortProblems(problems), partial: [], imported: compiled.imported });
  const { draft, positions } = compiled;
  if (!draft || !positions) return refused(compiled.problems);
  const documents = Object.keys(compiled.documents).length > 0 ? JSON.stringify(compiled.documents) : undefined;
  let answer: ReturnType<RegisteringCore['register']>;
  try {
    answer = core.register(JSON.stringify(draft), documents);
  } catch (error) {
    // A draft with a number or string that JSON cannot carry is refused whole; the sources' problems say where.
    if (compiled.policy) throw error;
    return refused(compiled.problems);
  }
  const found = 'problems' in answer
    ? placed(answer.problems, 'error', draft, positions, compiled)
    : placed(answer.warnings, 'warning', draft, positions, compiled);
  const problems = [...compiled.problems, ...found];
  if ('problems' in answer || !compiled.policy) return refused(problems);
  problems.push(...ambiguities(draft, positions));
  return {
    id: answer.policy, policy: compiled.policy, text: compiled.text, documents: compiled.documents, problems: sortProblems(problems),
    partial: [...answer.partial], imported: compiled.imported,
  };
}
