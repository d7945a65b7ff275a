// The bar above the panes: ready-made drafts to start from, a link to share this one, and a fresh start.
import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { toClipboard } from '../controls/copy.tsx';
import { ChevronIcon } from '../controls/icons.tsx';
import type { Draft } from '../draft/draft.ts';
import { emptyCall } from '../draft/draft.ts';
import { EXAMPLES } from '../draft/examples.ts';
import { packed } from '../draft/link.ts';
import type { Preview } from './use-preview.ts';

/** What a fresh start holds: the least policy that registers. */
const FRESH = 'tenant: mine\nagents:\n  agent:\n    tools: ["*"]\ntools:\n  - name: look_up\n    effect: read\n    parameters:\n      type: object\n      properties:\n        id: {type: string}\n      required: [id]\n';

export function Start({ preview }: { preview: Preview }): ReactNode {
  const begin = (key: string) => {
    const example = EXAMPLES.find(({ id }) => id === key);
    if (example) preview.replace(example.draft, `The example “${example.title}”: ${example.says}`);
  };
  const share = async () => {
    const link = `${location.href.split('#', 1)[0]}#/preview?d=${await packed(preview.draft)}`;
    const copied = await toClipboard(link);
    // Without a clipboard the address bar holds the link, for a person to copy.
    if (!copied) history.replaceState(null, '', link);
    preview.tell(`${copied ? 'The link is copied' : 'The link is in the address bar'}: it holds the policy and the session. Whoever you give it to sees them; no server does.`);
  };
  return (
    <div className="start">
      <h1>Policy preview</h1>
      <p className="says grow">Edit the policy or the call: the core in this page decides at once. Nothing leaves the page.</p>
      <div className="row">
        <MenuTrigger>
          <Button className="button">Examples<ChevronIcon /></Button>
          <Popover className="popover">
            <Menu className="menu" items={EXAMPLES} onAction={(key) => begin(String(key))}>
              {({ id, title, says }) => (
                <MenuItem id={id} textValue={title} className="choice">
                  <span className="choice-name">{title}</span>
                  <span className="says">{says}</span>
                </MenuItem>
              )}
            </Menu>
          </Popover>
        </MenuTrigger>
        <Button className="button" onPress={share}>Copy link</Button>
        <Button className="button" onPress={() => preview.replace(fresh(), 'A fresh start.')}>Reset</Button>
      </div>
    </div>
  );
}

function fresh(): Draft {
  return { v: 1, policy: FRESH, keys: 'preview', session: 'preview', steps: [], call: { ...emptyCall(), agent: 'agent', tool: 'look_up', arguments: '{"id": "4411"}' } };
}
