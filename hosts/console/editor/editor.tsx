// The text editor: CodeMirror with a name for screen readers, problems at their lines, completion, and a way out by keyboard.
import { autocompletion, closeBrackets, closeBracketsKeymap, type CompletionSource, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { colours, looks } from './looks.ts';

/** What may be asked of an editor: to show a place and take the focus. */
export interface EditorHandle { goTo(line: number, column: number): void }

interface EditorProps {
  label: string; value: string; language: 'yaml' | 'json'; onChange: (value: string) => void;
  problems?: readonly EditorProblem[]; completion?: CompletionSource; handle?: RefObject<EditorHandle | null>; small?: boolean; describedBy?: string; invalid?: boolean;
}
/** A problem at its place: lines and columns from 1. */
export interface EditorProblem { severity: 'error' | 'warning'; line: number; column: number; endLine: number; endColumn: number; message: string }

const NO_PROBLEMS: readonly EditorProblem[] = [];
/** What the editor's own list of hidden characters leaves out: zero-width joiners, the word joiner and its kin, embeddings and isolates, and tags. */
const HIDDEN = { addSpecialChars: /[\u200b-\u200f\u2028-\u202e\u2060-\u2069\u{e0000}-\u{e007f}]/gu };

/** The editor. The first value is the text; later ones are taken over where they differ from it. */
export function Editor({ label, value, language, onChange, problems = NO_PROBLEMS, completion, handle, small = false, describedBy, invalid = false }: EditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  const hint = useId();
  const attributes = useRef(new Compartment());
  const described = describedBy ?? hint;
  const wrong = invalid || problems.some(({ severity }) => severity === 'error');

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; what changes later is sent to it below
  useEffect(() => {
    const listens = EditorView.updateListener.of((update) => { if (update.docChanged) changed.current(update.state.doc.toString()); });
    const extensions = [...basics(language, small, completion), attributes.current.of(named(label, described, wrong)), listens];
    const made = new EditorView({ parent: host.current!, state: EditorState.create({ doc: value, extensions }) });
    view.current = made;
    if (handle) handle.current = { goTo: (line, column) => goTo(made, line, column) };
    const watched = keepCursorInView(made, host.current!);
    return () => {
      watched.disconnect();
      made.destroy();
    };
  }, []);

  useEffect(() => {
    const made = view.current;
    if (made === null || made.state.doc.toString() === value) return;
    made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: attributes.current.reconfigure(named(label, described, wrong)) });
  }, [label, described, wrong]);

  useEffect(() => {
    const made = view.current;
    if (made !== null) made.dispatch(setDiagnostics(made.state, problems.map((problem) => diagnostic(made.state, problem))));
  }, [problems]);

  return (
    <div className={small ? 'editor small' : 'editor'}>
      <div ref={host} className="editor-host" />
      {!small && <p id={hint} className="editor-hint">Tab indents. To leave press Escape, then Tab. Control Space completes.</p>}
    </div>
  );
}

/** What a screen reader hears of the editor. */
function named(label: string, described: string, wrong: boolean): Extension {
  return EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': described, 'aria-invalid': String(wrong), tabindex: '0' });
}

function basics(language: 'yaml' | 'json', small: boolean, completion: CompletionSource | undefined): Extension[] {
  return [
    // Characters that turn the direction of a text or stand invisible in it are shown, so that nobody reads another text than the core does.
    highlightSpecialChars(HIDDEN), small ? [] : [lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), lintGutter()], history(), drawSelection(), indentOnInput(), indentUnit.of('  '), bracketMatching(), closeBrackets(),
    EditorView.lineWrapping, language === 'yaml' ? yaml() : json(), syntaxHighlighting(colours), looks,
    completion === undefined ? [] : autocompletion({ override: [completion], icons: false, activateOnTypingDelay: 50 }),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, ...(small ? [] : [indentWithTab])]),
  ];
}

/** Where the editor becomes lower (the list of problems takes room), the line that is written in stays in view. */
function keepCursorInView(view: EditorView, host: HTMLElement): ResizeObserver {
  let height = host.clientHeight;
  const watched = new ResizeObserver(() => {
    if (host.clientHeight < height && view.hasFocus) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { yMargin: 24 }) });
    height = host.clientHeight;
  });
  watched.observe(host);
  return watched;
}

function goTo(view: EditorView, line: number, column: number): void {
  const at = offsetOf(view.state, line, column);
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  view.focus();
}

function diagnostic(state: EditorState, { severity, line, column, endLine, endColumn, message }: EditorProblem): Diagnostic {
  const from = offsetOf(state, line, column);
  const to = offsetOf(state, endLine, endColumn);
  // A long value is marked in its first line only.
  return { severity, from, to: Math.max(from, Math.min(to, state.doc.lineAt(from).to)), message };
}

function offsetOf(state: EditorState, line: number, column: number): number {
  const found = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)));
  return Math.min(found.from + column - 1, found.to);
}
