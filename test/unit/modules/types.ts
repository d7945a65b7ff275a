// Types that shop.ts takes its parameters and results from.
export interface Identified {
  id: string;
}

export enum Status {
  Open = 'open',
  Closed = 'closed',
}

export interface Order extends Identified {
  lines: Line[];
  parent?: Order;
  status: Status;
  pair: [number, string?];
  extra: Record<string, number | null>;
}

export type Line = { sku: string; quantity: number };
