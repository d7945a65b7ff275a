// The tools outside the gateways: a web server that writes down every call that reached it, and answers when it is told to.
import { bodyOf, json, type Listening, listenRaw } from "../../upstream/listening.ts";

export interface Arrived {
  readonly tool: string;
  readonly order: string;
}

export class Tool {
  readonly arrived: Arrived[] = [];
  /** What an answer waits for. */
  before: (arrived: Arrived) => Promise<void> = async () => undefined;
  /** Calls that are being answered, and the most that were at once. */
  now = 0;
  most = 0;
  /** Calls whose connection was given up before they were answered. */
  readonly abandoned: Arrived[] = [];
  #listening!: Listening;
  readonly #awaited: { count: number; resolve(): void }[] = [];

  async open(): Promise<string> {
    this.#listening = await listenRaw(async (request, response) => {
      const { order_id: order } = JSON.parse(await bodyOf(request)) as { order_id: string };
      const arrived = { tool: new URL(request.url!, "http://tool.test").pathname.slice(1), order };
      this.arrived.push(arrived);
      for (const one of this.#awaited) if (--one.count === 0) one.resolve();
      response.on("close", () => !response.writableFinished && this.abandoned.push(arrived));
      this.most = Math.max(this.most, ++this.now);
      await this.before(arrived);
      this.now--;
      json(response, { made: order });
    });
    return this.#listening.url;
  }

  /** How often a tool was called for an order. */
  count(order: string): number {
    return this.arrived.filter((each) => each.order === order).length;
  }

  /** Resolves at the nth call from now on. */
  next(nth: number): Promise<void> {
    return new Promise((resolve) => this.#awaited.push({ count: nth, resolve }));
  }

  close(): Promise<void> {
    return this.#listening.close();
  }
}
