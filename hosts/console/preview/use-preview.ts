// The preview's state: the draft, the policy in force, and what the core answers; each edit is decided at once.
import { useEffect, useMemo, useRef, useState } from 'react';
import { Core } from '../decide/core.ts';
import { factsOf, NO_FACTS, type PolicyFacts } from '../decide/facts.ts';
import { type Play, play } from '../decide/play.ts';
import type { Draft } from '../draft/draft.ts';
import { EXAMPLES } from '../draft/examples.ts';
import { keep, kept } from '../draft/store.ts';
import { type Problem, register } from '../package.ts';

/** The last policy without an error: its id, its text as written, and its facts. */
export interface InForce { id: string; source: string; facts: PolicyFacts; partial: readonly string[] }

export interface Preview {
  draft: Draft;
  /** Changes the draft. */
  edit: (change: (draft: Draft) => Draft) => void;
  /** Puts another draft in place of this one; `says` is told to the person, who can have the earlier one back. */
  replace: (draft: Draft, says: string) => void;
  /** Says something without changing the draft. */
  tell: (says: string) => void;
  notice: string | null;
  back: (() => void) | null;
  dismiss: () => void;
  problems: readonly Problem[];
  inForce: InForce | null;
  /** The text has changed and its policy is still being judged. */
  pending: boolean;
  play: Play | null;
  core: Core;
}

/** How long after the last key a policy is judged, in milliseconds. */
const PAUSE = 250;

export function usePreview(): Preview {
  const core = useMemo(() => new Core(), []);
  const [draft, setDraft] = useState<Draft>(() => kept() ?? EXAMPLES[0]!.draft);
  const [notice, setNotice] = useState<{ says: string; before: Draft | null } | null>(null);
  const [judged, setJudged] = useState<{ source: string | null; problems: readonly Problem[]; inForce: InForce | null }>({ source: null, problems: [], inForce: null });
  const latest = useRef('');
  latest.current = draft.policy;

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const judge = async () => {
      const found = await judgedBy(core, draft.policy);
      if (latest.current !== draft.policy) return;
      if (found.inForce !== null) core.enforce(found.text, found.documents);
      setJudged(({ inForce }) => ({ source: draft.policy, problems: found.problems, inForce: found.inForce ?? inForce }));
    };
    if (judged.source === null) void judge();
    else if (judged.source !== draft.policy) timer = setTimeout(judge, PAUSE);
    return () => clearTimeout(timer);
  }, [core, draft.policy, judged.source]);

  // Only once it was judged and played: a draft that the page does not get through (a link's, say) is gone after a reload.
  const lived = judged.source !== null;
  useEffect(() => { if (lived) keep(draft); }, [draft, lived]);

  const played = useMemo(() => (judged.inForce === null ? null : play(core, draft)), [core, draft, judged.inForce]);
  const put = (next: Draft, says: string) => {
    setNotice({ says, before: draft });
    // Another draft's policy must not decide on this one's calls, not even until it is judged.
    if (next.policy !== draft.policy) setJudged({ source: null, problems: [], inForce: null });
    setDraft(next);
  };
  const earlier = notice?.before ?? null;
  return {
    draft, core, problems: judged.problems, inForce: judged.inForce, pending: judged.source !== draft.policy, play: played,
    edit: (change) => setDraft(change), replace: put, tell: (says) => setNotice({ says, before: null }),
    notice: notice?.says ?? null, back: earlier === null ? null : () => put(earlier, 'The earlier draft is back.'), dismiss: () => setNotice(null),
  };
}

interface Judged { problems: readonly Problem[]; inForce: InForce | null; text: string; documents: string | undefined }

/** Registers a policy's text; `inForce` is null where it has an error. */
async function judgedBy(core: Core, source: string): Promise<Judged> {
  const { id, policy, text, documents, problems, partial } = await register([{ path: 'policy.yaml', text: source }], core);
  const beside = { problems, text, documents: Object.keys(documents).length === 0 ? undefined : JSON.stringify(documents) };
  return id === null || policy === null ? { ...beside, inForce: null } : { ...beside, inForce: { id, source, facts: factsOf(policy), partial } };
}

/** Whether the policy in force is an earlier version, because the text has an error now. */
export function isStale({ problems, inForce }: Preview): boolean {
  return inForce !== null && problems.some(({ severity }) => severity === 'error');
}

/** The facts of the policy in force; none before the first. */
export function factsIn({ inForce }: Preview): PolicyFacts {
  return inForce?.facts ?? NO_FACTS;
}
