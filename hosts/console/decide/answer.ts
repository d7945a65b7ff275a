// The answer of a check as the page reads it (chapter 4).
import type { Question } from '../package.ts';

export type Decision = 'allow' | 'confirm' | 'refuse';
export type Detail = Record<string, unknown>;

/** One step of the trace. */
export interface Traced { order: number; check: string; result: 'passed' | 'refused' | 'asks' | 'skipped'; detail?: unknown }

/** An entry of the history, as far as the page shows it by name. */
export interface Entry {
  step: number; tool: string; agent: string | null; decision: Decision; reason: string; at: number; labels: string[];
  origins: Record<string, string>; undoes?: number; approves?: number; restarted?: true; outside?: true; [member: string]: unknown;
}

export interface Answer {
  decision: Decision; reason: string; reasons: string[]; pointer?: string; detail?: Detail; question?: Question; confirmation?: string | null;
  arguments?: unknown; entry: Entry | null; step: number | null; link: string | null; policy: string; trace?: Traced[];
}

export interface HistoryDocument { format: 'qls-history/1'; session: string; entries: Entry[]; reports?: Record<string, unknown> }
