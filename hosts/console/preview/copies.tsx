// The entry, the answer, and the texts to take along: for a policy test, for the command line, for another runtime.
import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Copyable } from '../controls/copy.tsx';
import { conformLines, scriptText, stepText } from '../decide/copies.ts';
import type { Preview } from './use-preview.ts';

interface Text { id: string; tab: string; label: string; says: ReactNode; text: string }

export function Copies({ preview, announce, tab, setTab }: { preview: Preview; announce: (text: string) => void; tab: string; setTab: (tab: string) => void }): ReactNode {
  const texts = textsOf(preview);
  return (
    <div className="block">
      <h3>To take along</h3>
      <Tabs className="tabs" selectedKey={tab} onSelectionChange={(key) => setTab(String(key))}>
        <TabList aria-label="To take along" className="tab-list" items={texts}>{({ tab: word }) => <Tab className="tab">{word}</Tab>}</TabList>
        {texts.map(({ id, label, says, text }) => (
          <TabPanel key={id} id={id} className="tab-panel"><Copyable label={label} says={says} text={text} announce={announce} /></TabPanel>
        ))}
      </Tabs>
    </div>
  );
}

function textsOf({ play, draft, core }: Preview): Text[] {
  const next = play?.next;
  const answer = next?.answer;
  if (!play || !next || !answer) return [];
  return [
    { id: 'entry', tab: 'Entry', label: 'Entry', says: <>Step {answer.step}, link <code className="breaks">{answer.link}</code></>, text: JSON.stringify(answer.entry, null, 2) },
    { id: 'answer', tab: 'Answer', label: 'Answer', says: 'The canonical text, byte for byte as every runtime gives it.', text: next.text },
    { id: 'script', tab: 'Script', label: 'Script', says: <>The session as a test: save it beside policy.yaml, then <code>interlock run session.yaml</code></>, text: scriptText(draft, play) },
    { id: 'step', tab: 'Step', label: 'Step', says: 'This call alone, for a script that you have.', text: stepText(draft, next) },
    { id: 'request', tab: 'Request', label: 'Request', says: <>For <code>interlock check request.json</code></>, text: next.request },
    { id: 'lines', tab: 'Lines', label: 'Conformance lines', says: <>For <code>interlock conform</code>, in any runtime: the key set, the policy, the check.</>, text: conformLines(core, draft, next) },
  ];
}
