// What the person wrote, turn by turn: evidence for arguments that are claimed typed.
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { TextBox } from '../controls/fields.tsx';
import { CrossIcon, PlusIcon } from '../controls/icons.tsx';
import { focusOn } from '../shell/focus.ts';

export function Turns({ turns, onChange }: { turns: readonly string[]; onChange: (turns: string[]) => void }): ReactNode {
  const set = (index: number, text: string) => onChange(turns.map((turn, at) => (at === index ? text : turn)));
  return (
    <fieldset>
      <legend>What the person wrote</legend>
      {turns.map((turn, index) => (
        // Turns have no names of their own: their place is what they are.
        // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
        <div className="row turn" key={index}>
          <div className="grow"><TextBox hideLabel label={`Turn ${index + 1}`} rows={turn.includes('\n') ? 3 : 1} value={turn} onChange={(text) => set(index, text)} /></div>
          <Button className="button bare" aria-label={`Take turn ${index + 1} out`} onPress={() => { focusOn('add-turn'); onChange(turns.filter((_, at) => at !== index)); }}><CrossIcon /></Button>
        </div>
      ))}
      <Button id="add-turn" className="button bare" onPress={() => onChange([...turns, ''])}><PlusIcon />Add a turn</Button>
    </fieldset>
  );
}
