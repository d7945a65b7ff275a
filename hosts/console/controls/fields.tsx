// The controls of the forms: a label, a value, and what to know or mend about it.
import type { ReactNode } from 'react';
import {
  Button, ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Select, SelectValue, Text, TextArea, TextField,
} from 'react-aria-components';
import { ChevronIcon } from './icons.tsx';

interface Described { label: string; says?: ReactNode; wrong?: string | undefined; hideLabel?: boolean }

function Below({ says, wrong }: Pick<Described, 'says' | 'wrong'>): ReactNode {
  return (
    <>
      {says !== undefined && <Text slot="description" className="says">{says}</Text>}
      {wrong !== undefined && <FieldError className="wrong">{wrong}</FieldError>}
    </>
  );
}

interface TextProps extends Described { value: string; onChange: (value: string) => void; code?: boolean; rows?: number; placeholder?: string }

/** One line of text, or several with `rows`. */
export function TextBox({ label, hideLabel, value, onChange, says, wrong, code = false, rows, placeholder }: TextProps): ReactNode {
  const className = code ? 'code' : '';
  const more = { className, spellCheck: false, autoComplete: 'off', ...(placeholder === undefined ? {} : { placeholder }) };
  return (
    <TextField className="field" value={value} onChange={onChange} isInvalid={wrong !== undefined} {...(hideLabel ? { 'aria-label': label } : {})}>
      {!hideLabel && <Label>{label}</Label>}
      {rows === undefined ? <Input {...more} /> : <TextArea {...more} rows={rows} />}
      <Below says={says} wrong={wrong} />
    </TextField>
  );
}

interface Choice { id: string; label: string; says?: string }
interface ChooseProps extends Described { value: string; onChange: (value: string) => void; choices: readonly Choice[] }

function Choices({ choices }: { choices: readonly Choice[] }): ReactNode {
  return (
    <ListBox className="choices" items={choices} renderEmptyState={() => <span className="says">Nothing fits</span>}>
      {({ id, label, says }) => (
        <ListBoxItem id={id} textValue={label} className="choice">
          <span className="choice-name">{label}</span>
          {says !== undefined && <span className="says">{says}</span>}
        </ListBoxItem>
      )}
    </ListBox>
  );
}

/** One of a few. (A choice is named by all of its text, as it is seen.) */
export function Choose({ label, hideLabel, value, onChange, choices, says, wrong }: ChooseProps): ReactNode {
  return (
    <Select className="field" value={value} onChange={(key) => onChange(String(key))} isInvalid={wrong !== undefined} {...(hideLabel ? { 'aria-label': label } : {})}>
      {!hideLabel && <Label>{label}</Label>}
      <Button className="select"><SelectValue /><ChevronIcon /></Button>
      <Below says={says} wrong={wrong} />
      <Popover className="popover"><Choices choices={choices} /></Popover>
    </Select>
  );
}

/** A text with suggestions: anything may be written. */
export function Suggest({ label, hideLabel, value, onChange, choices, says, wrong, placeholder }: ChooseProps & { placeholder?: string }): ReactNode {
  return (
    <ComboBox
      className="field" inputValue={value} onInputChange={onChange} allowsCustomValue menuTrigger="manual" isInvalid={wrong !== undefined} defaultItems={choices} defaultFilter={() => true}
      {...(hideLabel ? { 'aria-label': label } : {})}
    >
      {!hideLabel && <Label>{label}</Label>}
      <div className="combo">
        <Input className="code" autoComplete="off" spellCheck={false} {...(placeholder === undefined ? {} : { placeholder })} />
        <Button className="open"><ChevronIcon /></Button>
      </div>
      <Below says={says} wrong={wrong} />
      <Popover className="popover"><Choices choices={choices} /></Popover>
    </ComboBox>
  );
}
