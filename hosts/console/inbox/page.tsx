// The inbox: what agents wait for a person with, live; each question whole, and the answers a person may give.
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { visible } from '../package.ts';
import { focusOn } from '../shell/focus.ts';
import type { Approval } from './api.ts';
import { Decided } from './decided.tsx';
import { HeldListings } from './listings.tsx';
import { QuestionPane } from './question.tsx';
import { SignIn } from './sign-in.tsx';
import { queries, useInbox, useKey } from './use-inbox.ts';

export function InboxPage({ rest }: { rest: string }): ReactNode {
  const [key, setKey] = useKey();
  return (
    <QueryClientProvider client={queries}>
      <div className="inbox">
        <h1 className="unseen">Inbox</h1>
        {key === null ? <SignIn onKey={setKey} /> : <Shown key={key} given={key} chosen={rest} onLeave={() => setKey(null)} />}
      </div>
    </QueryClientProvider>
  );
}

function Shown({ given, chosen, onLeave }: { given: string; chosen: string; onLeave: () => void }): ReactNode {
  const inbox = useInbox(given);
  const [said, setSaid] = useState('');
  const { api, open, decided, listings, error } = inbox;
  if (error?.status === 401) return <SignIn onKey={() => undefined} refused={error.message} onAgain={onLeave} />;
  const shown = open.find(({ id }) => id === chosen) ?? decided.find(({ id }) => id === chosen) ?? open[0] ?? null;
  const done = (text: string) => {
    setSaid(text);
    focusOn('inbox');
  };
  return (
    <>
      <p className="unseen" role="status">{said}</p>
      {inbox.observed && <p className="notice observe" role="alert"><strong>Observe mode.</strong> Calls go through whatever the policy says: what would have been asked or refused is only written down.</p>}
      {error !== null && <p className="notice stale" role="alert">{error.message}</p>}
      <div className="inbox-panes">
        <section id="inbox" className="pane" aria-label="Questions" tabIndex={-1}>
          <div className="row">
            <h2 className="grow">Questions</h2>
            <span className="says">{inbox.live ? 'Live' : 'Asking every few seconds'}</span>
            <Button className="button bare" onPress={onLeave}>Sign out</Button>
          </div>
          <Tabs>
            <TabList className="tab-list" aria-label="Which questions">
              <Tab className="tab" id="open">Open ({open.length})</Tab>
              <Tab className="tab" id="decided">Decided ({decided.length})</Tab>
              <Tab className="tab" id="listings">Changed tools ({listings.length})</Tab>
            </TabList>
            <TabPanel className="tab-panel" id="open">
              {open.length === 0 ? <p className="says">{inbox.loading ? 'Asking the gateway …' : 'Nobody waits for you.'}</p> : <ul className="questions" aria-label="Open questions">{open.map((approval) => <Line key={approval.id} approval={approval} current={approval === shown} />)}</ul>}
            </TabPanel>
            <TabPanel className="tab-panel" id="decided"><Decided approvals={decided} current={shown} /></TabPanel>
            <TabPanel className="tab-panel" id="listings"><HeldListings api={api} listings={listings} done={done} /></TabPanel>
          </Tabs>
        </section>
        <section id="question" className="pane" aria-label="The question" tabIndex={-1}>
          {shown === null ? <p className="says">A question is shown here whole.</p> : <QuestionPane key={shown.id} api={api} approval={shown} done={done} />}
        </section>
      </div>
    </>
  );
}

/** One question of the list. */
export function Line({ approval, current }: { approval: Approval; current: boolean }): ReactNode {
  const { id, question, agent, askedAt, stopped } = approval;
  return (
    <li>
      <a href={`#/inbox/${id}`} aria-current={current ? 'true' : undefined}>
        <span className="line-title">{visible(question.title)}{question.target === undefined ? '' : ` → ${visible(question.target)}`}</span>
        <span className="says">{stopped === undefined ? '' : 'Stopped · '}{agent === null ? '' : `${visible(agent)} · `}<time dateTime={new Date(askedAt).toISOString()}>{new Date(askedAt).toLocaleString('en-GB')}</time></span>
      </a>
    </li>
  );
}
