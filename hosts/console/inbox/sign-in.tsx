// Signing in to the inbox: a person's own key, kept for this tab alone.
import { type ReactNode, useState } from 'react';
import { Button, FieldError, Form, Input, Label, Text, TextField } from 'react-aria-components';

interface Props { onKey: (key: string) => void; refused?: string; onAgain?: () => void }

export function SignIn({ onKey, refused, onAgain }: Props): ReactNode {
  const [key, setKey] = useState('');
  if (refused !== undefined) {
    return (
      <section id="inbox" className="pane sign-in" aria-label="Sign in" tabIndex={-1}>
        <p role="alert" className="wrong">{refused}</p>
        <Button className="button strong end" onPress={onAgain!}>Sign in with another key</Button>
      </section>
    );
  }
  return (
    <section id="inbox" className="pane sign-in" aria-label="Sign in" tabIndex={-1}>
      <h2>Sign in</h2>
      <Form className="stack" onSubmit={(event) => { event.preventDefault(); if (key.trim() !== '') onKey(key.trim()); }}>
        <TextField className="field" type="password" value={key} onChange={setKey} isRequired>
          <Label>Key</Label>
          <Input className="code" autoComplete="off" spellCheck={false} />
          <Text slot="description" className="says">The key that the gateway’s administrator gave you. It stays in this tab.</Text>
          <FieldError className="wrong" />
        </TextField>
        <Button type="submit" className="button strong end">Open the inbox</Button>
      </Form>
    </section>
  );
}
