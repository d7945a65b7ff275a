// Problems of registration: what each says, where it stands, the frame that shows it, and what to write instead.
import { type Place, positionOf } from './position.ts';

export type Severity = 'error' | 'warning';

/** One problem as people and programs read it. Lines and columns count from 1, columns in UTF-16 code units. */
export interface Problem {
  /** Stable; one of `json_…`, `yaml_…`, `source_…`, `mcp_…`, `policy_…`. */
  code: string;
  severity: Severity;
  message: string;
  /** What to write instead. */
  hint?: string;
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  /** RFC 6901, into the compiled policy, where the problem is about a part of it. */
  pointer?: string;
  /** A few source lines with the place marked below. */
  frame: string;
}

/** What a problem says, before it is given its place. */
export interface Saying { code: string; message: string; hint?: string | undefined; severity?: Severity; pointer?: string }

/** A problem at a place of a source text. */
export function problemAt(place: Place, said: Saying): Problem {
  const { file, line, column, endLine, endColumn } = positionOf(place);
  return {
    code: said.code, severity: said.severity ?? 'error', message: said.message, ...(said.hint ? { hint: said.hint } : {}),
    file, line, column, endLine, endColumn, ...(said.pointer === undefined ? {} : { pointer: said.pointer }), frame: frame(place),
  };
}

/** A problem of a file as a whole: one that could not be read, for example. */
export function problemOf(file: string, said: Saying): Problem {
  return {
    code: said.code, severity: said.severity ?? 'error', message: said.message, ...(said.hint ? { hint: said.hint } : {}),
    file, line: 1, column: 1, endLine: 1, endColumn: 1, ...(said.pointer === undefined ? {} : { pointer: said.pointer }), frame: '',
  };
}

/** Errors first, then by file, line, column and code; an exact repeat is dropped. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems
    .filter((p) => {
      const key = JSON.stringify([p.code, p.file, p.line, p.column, p.pointer, p.message]);
      return !seen.has(key) && seen.add(key);
    })
    .sort((a, b) => rank(a) - rank(b) || compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.code, b.code));
}

/** `file:line:column: error code: message`, the frame and the hint, as the command line prints a problem (without colour). */
export function formatProblem(problem: Problem): string {
  const lines = [`${visible(problem.file)}:${problem.line}:${problem.column}: ${problem.severity} ${problem.code}: ${visible(problem.message)}`];
  if (problem.frame) lines.push(problem.frame);
  if (problem.hint) lines.push(`  hint: ${visible(problem.hint)}`);
  return lines.join('\n');
}

/** Lines shown before and after the marked one. */
const AROUND = 2;
/** Columns of a source line that a frame shows; a longer line (a minified listing) is cut around the mark. */
const WIDTH = 100;

/** The source lines around a place, the first one marked with carets under what the place covers. */
export function frame(place: Place): string {
  const { line, column, endLine, endColumn } = positionOf(place);
  const first = Math.max(1, line - AROUND);
  const gutter = String(line + AROUND).length;
  const shown: string[] = [];
  for (let number = first; number <= line + AROUND; number++) {
    const text = place.source.line(number);
    if (text === undefined) break;
    const from = number === line && column > WIDTH * 0.8 ? Math.max(0, column - 1 - Math.floor(WIDTH / 2)) : 0;
    const cut = cutLine(text, from);
    shown.push(`${number === line ? '>' : ' '} ${String(number).padStart(gutter)} | ${cut.text}`);
    if (number !== line) continue;
    const marked = endLine === line ? Math.max(1, endColumn - column) : Math.max(1, text.length - column + 1);
    const room = Math.max(1, Math.min(marked, from + WIDTH - column + 1));
    const before = text.slice(from, column - 1).replace(/[^\t]/g, ' ');
    shown.push(`  ${' '.repeat(gutter)} | ${' '.repeat(cut.lead)}${before}${'^'.repeat(room)}`);
  }
  while (shown.length > 0 && /^ +\d+ \|\s*$/.test(shown.at(-1)!)) shown.pop();
  return shown.map((text) => text.trimEnd()).join('\n');
}

function cutLine(text: string, from: number): { text: string; lead: number } {
  const lead = from > 0 ? '… ' : '';
  const tail = text.length > from + WIDTH ? ' …' : '';
  return { text: lead + visible(text.slice(from, from + WIDTH)) + tail, lead: lead.length };
}

/** Control, bidirectional and other invisible characters as a replacement of the same width, so that a source text cannot rewrite the terminal. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '\ufffd');
}

function rank(problem: Problem): number {
  return problem.severity === 'error' ? 0 : 1;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
