// The preview: a policy, a session and the next call, decided live by the core in the page.
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { CrossIcon } from '../controls/icons.tsx';
import type { PageProps } from '../shell/routes.tsx';
import { focusOn } from '../shell/focus.ts';
import { CallPane } from './call-pane.tsx';
import { DecisionPane } from './decision-pane.tsx';
import { PolicyPane } from './policy-pane.tsx';
import { Start } from './start.tsx';
import { Summary } from './summary.tsx';
import { useAnnouncement } from './use-announcement.ts';
import { useLinked } from './use-linked.ts';
import { usePreview } from './use-preview.ts';

export function PreviewPage({ query }: PageProps): ReactNode {
  const preview = usePreview();
  const [said, announce] = useState('');
  const [tab, setTab] = useState('entry');
  useLinked(preview, query);
  const decided = useAnnouncement(preview);
  // What the bar says is heard too.
  useEffect(() => { if (preview.notice !== null) announce(preview.notice); }, [preview.notice]);
  useEffect(() => { document.title = 'Policy preview · Interlock'; }, []);
  return (
    <div className="preview">
      <Start preview={preview} />
      {preview.notice !== null && (
        <div className="notice">
          <p className="grow">{preview.notice}</p>
          {preview.back !== null && <Button className="button" onPress={preview.back}>Bring the earlier draft back</Button>}
          <Button className="button bare" aria-label="Close this notice" onPress={() => { focusOn('policy'); preview.dismiss(); }}><CrossIcon /></Button>
        </div>
      )}
      <Summary preview={preview} />
      <div className="panes">
        <PolicyPane preview={preview} />
        <CallPane preview={preview} />
        <DecisionPane preview={preview} announce={announce} tab={tab} setTab={setTab} />
      </div>
      <p className="unseen" role="status" aria-live="polite">{decided}</p>
      <p className="unseen" role="status" aria-live="polite">{said}</p>
    </div>
  );
}
