// What a screen reader hears of the decision: the last one, once a person pauses, and only where it differs from the one heard before.
import { useEffect, useRef, useState } from 'react';
import { announcement } from '../decide/sentences.ts';
import type { Preview } from './use-preview.ts';

/** How long the decision must stand before it is said, in milliseconds. */
const PAUSE = 700;

export function useAnnouncement({ play, problems, pending }: Preview): string {
  const [said, say] = useState('');
  const first = useRef(true);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const answer = play?.next.answer;
  const fault = play?.next.fault;
  const now = errors > 0 ? `The policy has ${errors === 1 ? 'an error' : `${errors} errors`}. The first is in line ${problems[0]!.line}: ${problems[0]!.message}`
    : answer ? `Decision: ${announcement(answer)}` : fault ? `No decision: ${fault.message}` : '';
  useEffect(() => {
    if (pending) return undefined;
    const timer = setTimeout(() => {
      // What stands there when the page opens is read with the page.
      if (!first.current) say(now);
      first.current = false;
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [now, pending]);
  return said;
}
