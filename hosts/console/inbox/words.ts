// How the inbox says states and times.
import type { Approval } from './api.ts';

export const STATES: Record<Approval['state'], string> = {
  open: 'Open', approved: 'Approved', denied: 'Denied', expired: 'Expired', edited: 'Approved with other values', spent: 'Approved and used', withdrawn: 'Withdrawn',
};

/** A time (milliseconds since 1970) as people here read it. */
export function when(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}
