// The tools outside the gateways: a web server that writes down every call that reached it, and looks whether its intent was in the store's log by then.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../../hosts/gateway/engine/driver.ts";
import { FILE } from "../../../../hosts/gateway/engine/sqlite.ts";
import { bodyOf, json, type Listening, listenRaw } from "../../upstream/listening.ts";

export interface Arrived {
  readonly tool: string;
  readonly order: string;
  /** The key of the operation; null where the caller of the gateway made the call itself. */
  readonly operation: string | null;
  /** The argument `key`. */
  readonly key: string | null;
  /** Whether the log on disk had an intent for this sending when it arrived: one for each. */
  readonly intended: boolean;
}

/** The lines of the log that are looked through for an intent: more than one round leaves. */
const LINES = 400;

export class Tool {
  readonly arrived: Arrived[] = [];
  /** Milliseconds that an answer takes. */
  pause = 0;
  readonly #store: string;
  #listening!: Listening;
  #database: Database | null = null;

  /** @param folder of the gateway's store */
  constructor(folder: string) {
    this.#store = join(folder, "data", FILE);
  }

  async open(): Promise<string> {
    this.#listening = await listenRaw(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url!, "http://tool.test");
      const [, name, asked] = pathname.split("/");
      if (name === "operations") {
        if (this.arrived.some((each) => each.operation === asked)) json(response, { total: 40 });
        else json(response, {}, 404);
        return;
      }
      const body = JSON.parse((await bodyOf(request)) || "{}") as { order_id?: string; key?: string };
      const key = request.headers["idempotency-key"];
      const operation = typeof key === "string" ? key : null;
      if (this.#database === null && existsSync(this.#store)) this.#database = await openDatabase(this.#store);
      const before = this.arrived.filter((each) => each.operation === operation).length;
      const intended = operation === null || this.#intents(operation) > before;
      this.arrived.push({ tool: name!, order: body.order_id ?? searchParams.get("order_id") ?? "", operation, key: body.key ?? null, intended });
      if (this.pause > 0) await new Promise((after) => setTimeout(after, this.pause));
      json(response, { total: 40 });
    });
    return this.#listening.url;
  }

  /** Whether a call of the gateway's reached its tool. */
  ran({ operation }: { readonly operation: string | null }): boolean {
    return operation !== null && this.arrived.some((each) => each.operation === operation);
  }

  /** How often a tool was called for an order, by whomever. */
  count(tool: string, order: string): number {
    return this.arrived.filter((each) => each.tool === tool && each.order === order).length;
  }

  #intents(operation: string): number {
    const lines = (this.#database?.prepare("SELECT line FROM audit WHERE tenant = 'shop' ORDER BY seq DESC LIMIT ?").all(LINES) ?? []) as { line: string }[];
    return lines.filter(({ line }) => line.includes('"event":"call.intent"') && line.includes(`"idempotency_key":"${operation}"`)).length;
  }

  async close(): Promise<void> {
    this.#database?.close();
    await this.#listening.close();
  }
}
