// The Cloudflare Worker: the web host over bindings, with each session's records in a Durable Object of its own.
/// <reference path="./workers.d.ts" />
import { DurableObject } from "cloudflare:workers";
import { type App, interlockApp } from "../shared/web/app.ts";
import type { Bindings } from "../shared/web/settings.ts";
import type { Store } from "../shared/web/store.ts";

/** The binding of the Durable Object namespace. */
const SESSIONS = "INTERLOCK_SESSIONS";

/** What is kept of one session. Everything of an object runs one after the other, and no answer leaves it before what it wrote is on disk. */
export class SessionHeads extends DurableObject {
  readonly #sql = this.ctx.storage.sql;

  constructor(state: ConstructorParameters<typeof DurableObject>[0], env: unknown) {
    super(state, env);
    this.#sql.exec("CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID");
  }

  read(key: string): string | null {
    const [row] = this.#sql.exec<{ text: string }>("SELECT text FROM kept WHERE key = ?", key).toArray();
    return row?.text ?? null;
  }

  /** No promise is awaited between the reading and the writing, so nobody else comes between. */
  swap(key: string, expected: string | null, next: string): boolean {
    if (this.read(key) !== expected) return false;
    this.#sql.exec("INSERT INTO kept (key, text) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET text = excluded.text", key, next);
    return true;
  }
}

/** A Durable Object namespace whose objects are SessionHeads. */
interface Namespace {
  idFromName(name: string): unknown;
  get(id: unknown): { read(key: string): Promise<string | null>; swap(key: string, expected: string | null, next: string): Promise<boolean> };
}

/** The store over a namespace: one object a session, reached by name from anywhere. */
export class ObjectStore implements Store {
  readonly #namespace: Namespace;

  constructor(namespace: Namespace) {
    this.#namespace = namespace;
  }

  async read(session: string, key: string): Promise<string | null> {
    return await this.#object(session).read(key);
  }

  async swap(session: string, key: string, expected: string | null, next: string): Promise<boolean> {
    return await this.#object(session).swap(key, expected, next);
  }

  #object(session: string): ReturnType<Namespace["get"]> {
    return this.#namespace.get(this.#namespace.idFromName(session));
  }
}

function isNamespace(given: unknown): given is Namespace {
  return typeof given === "object" && given !== null && typeof (given as { idFromName?: unknown }).idFromName === "function";
}

/**
 * A Worker's handlers. `given` are bindings that are part of the deployed code instead: a policy of more than the few kilobytes that a variable holds is
 * imported as a text module, `interlockWorker({ INTERLOCK_POLICY: policy })`.
 */
export function interlockWorker(given: Bindings = {}): { fetch(request: Request, env: Bindings): Promise<Response> } {
  const app: App = interlockApp();
  const stores = new Map<unknown, Store>();
  return {
    fetch(request, env) {
      const namespace = env[SESSIONS];
      if (isNamespace(namespace) && !stores.has(namespace)) stores.set(namespace, new ObjectStore(namespace));
      return app(request, { bindings: { ...env, ...given }, store: stores.get(namespace) ?? null, storeName: SESSIONS });
    },
  };
}

export default interlockWorker();
