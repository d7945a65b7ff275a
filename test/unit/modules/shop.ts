// A module of tools as people write them: what registration makes of it is held by register-module.test.ts. It must never run.
import type { Order, Status as OrderStatus } from './types.js';
export * from './refunds.js';

globalThis.process.exit(86);

/**
 * Look an order up.
 *
 * More words, which are not the description.
 * @param orderId the number of the order
 */
export async function getOrder(orderId: string, deep = false): Promise<Order | undefined> {
  return deep ? undefined : { id: orderId, lines: [], status: 'open' as OrderStatus, pair: [1], extra: {} };
}

/** Charge the card of an order. */
export const chargeCard = async ({ orderId, amount, currency = 'EUR' }: {
  orderId: string;
  /** in major units */
  amount: number;
  currency?: 'EUR' | 'USD';
  status?: OrderStatus | null;
}): Promise<{ chargeId: string }> => ({ chargeId: `${orderId}${amount}${currency}` });

/** List what there is. */
export function list(options: { limit: number } = { limit: 10 }, ...tags: readonly string[]): string[] {
  return tags.slice(0, options.limit);
}

export const declared: (id: string, times?: number) => Promise<boolean> = async (id, times = 2) => id.length > times;

function inner(page?: Omit<Partial<Order>, 'parent' | 'extra'> & { q?: string }): void {
  void page;
}
export { inner as search };

/** Wait. */
export default function wait(this: void): void {}

export class NotATool {}
export const notATool = 5;
export type AlsoNot = string;
