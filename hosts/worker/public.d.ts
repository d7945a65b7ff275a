// The types of `interlock/worker` as the package ships them; test/hosts/public-types.ts holds them against the sources.

/** Names and values that a Worker is bound to. */
export type Bindings = Readonly<Record<string, unknown>>;

/** The class of the Durable Objects that keep what is known of each session. Bind its namespace as INTERLOCK_SESSIONS. */
export declare class SessionHeads {
  constructor(state: never, env: unknown);
  read(key: string): string | null;
  swap(key: string, expected: string | null, next: string): boolean;
}

/** A Worker's handlers; `given` are bindings that are part of the deployed code instead, such as `{ INTERLOCK_POLICY: text }`. */
export declare function interlockWorker(given?: Bindings): { fetch(request: Request, env: Bindings): Promise<Response> };

declare const worker: { fetch(request: Request, env: Bindings): Promise<Response> };
export default worker;
