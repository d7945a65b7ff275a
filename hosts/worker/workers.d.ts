// The types of what the Workers runtime provides, as far as the Worker uses it.

declare module "cloudflare:workers" {
  interface SqlCursor<T> {
    toArray(): T[];
  }
  interface DurableObjectState {
    readonly storage: { readonly sql: { exec<T>(query: string, ...bound: unknown[]): SqlCursor<T> } };
  }
  export class DurableObject {
    protected readonly ctx: DurableObjectState;
    protected readonly env: unknown;
    constructor(state: DurableObjectState, env: unknown);
  }
}
