// The icons: small drawings that stand beside a word, never instead of one.
import type { ReactNode } from 'react';
import type { Traced } from '../decide/answer.ts';

function Icon({ children, size = 16 }: { children: ReactNode; size?: number | undefined }): ReactNode {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

/** A circle with a tick, a person, an octagon with a cross, an empty ring: the outline alone tells them apart. */
export function DecisionIcon({ kind, size }: { kind: 'allow' | 'confirm' | 'refuse' | 'none'; size?: number }): ReactNode {
  if (kind === 'allow') return <Icon size={size}><circle cx="8" cy="8" r="6.5" /><path d="m5 8.3 2.2 2.2L11.2 6" /></Icon>;
  if (kind === 'confirm') return <Icon size={size}><circle cx="8" cy="4.6" r="2.9" /><path d="M2.2 14.2c.5-3.2 2.8-4.9 5.8-4.9s5.3 1.7 5.8 4.9z" /></Icon>;
  if (kind === 'refuse') return <Icon size={size}><path d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z" /><path d="m5.7 5.7 4.6 4.6m0-4.6-4.6 4.6" /></Icon>;
  return <Icon size={size}><circle cx="8" cy="8" r="6.5" strokeDasharray="2 2.6" /></Icon>;
}

/** How a step of the trace ended. */
export function ResultIcon({ result }: { result: Traced['result'] | 'unreached' }): ReactNode {
  if (result === 'passed') return <Icon><path d="m3.5 8.5 3 3 6-7" /></Icon>;
  if (result === 'refused') return <Icon><path d="m4 4 8 8m0-8-8 8" /></Icon>;
  if (result === 'asks') return <Icon><path d="M5.6 5.8a2.5 2.5 0 1 1 3.5 2.3c-.8.4-1.1.9-1.1 1.8" /><path d="M8 12.6v.1" /></Icon>;
  if (result === 'skipped') return <Icon><path d="M4 8h8" /></Icon>;
  return <Icon><circle cx="8" cy="8" r="1" /></Icon>;
}

export function PlusIcon(): ReactNode {
  return <Icon><path d="M8 3v10M3 8h10" /></Icon>;
}

export function CopyIcon(): ReactNode {
  return <Icon><rect x="5.5" y="5.5" width="8" height="8" rx="1.5" /><path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" /></Icon>;
}

export function ChevronIcon(): ReactNode {
  return <Icon><path d="m4.5 6.5 3.5 3.5 3.5-3.5" /></Icon>;
}

export function CrossIcon(): ReactNode {
  return <Icon><path d="m4.5 4.5 7 7m0-7-7 7" /></Icon>;
}

export function MarkIcon({ severity }: { severity: 'error' | 'warning' }): ReactNode {
  if (severity === 'error') return <Icon><circle cx="8" cy="8" r="6.5" /><path d="M8 4.8v3.7M8 11.1v.1" /></Icon>;
  return <Icon><path d="M8 2 1.8 13.5h12.4z" /><path d="M8 6.5v3M8 11.5v.1" /></Icon>;
}
