// The decision in one line, for narrow screens, where its pane is far below the forms.
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { DecisionIcon } from '../controls/icons.tsx';
import { WORDS } from '../decide/sentences.ts';
import { focusOn } from '../shell/focus.ts';
import { isStale, type Preview } from './use-preview.ts';

export function Summary({ preview }: { preview: Preview }): ReactNode {
  const answer = preview.play?.next.answer;
  const kind = answer?.decision ?? 'none';
  return (
    <Button className={`summary ${kind}`} onPress={() => focusOn('decision', true)}>
      <DecisionIcon kind={kind} />
      <strong>{answer ? WORDS[answer.decision] : 'No decision'}</strong>
      <span className="grow cut">{isStale(preview) ? 'by the last good policy: ' : ''}{answer?.reasons.join(', ') ?? preview.play?.next.fault?.message ?? ''}</span>
      <span>See why</span>
    </Button>
  );
}
