// A wire between two programs that can be cut: connections stay open, and nothing goes through them any more.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export class Wire {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((near) => this.#joined(near));
  /** Where the other end is: it may be known later than this one. */
  to = 0;
  #isCut = false;

  /** Opens this end, at 127.0.0.1. */
  async open(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on nothing goes through, and nobody is told. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Joins it again. @param lost whether the connections of before are no more, as where one end forgot them */
  join(lost: boolean): void {
    this.#isCut = false;
    for (const socket of this.#sockets) {
      if (lost) socket.resetAndDestroy();
      else socket.resume();
    }
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }

  #joined(near: Socket): void {
    const far = connect(this.to, "127.0.0.1");
    for (const [from, into] of [[near, far], [far, near]] as const) {
      this.#sockets.add(from);
      from.on("data", (data) => {
        if (!into.write(data)) from.pause();
      });
      into.on("drain", () => !this.#isCut && from.resume());
      from.on("end", () => into.end());
      from.on("error", () => into.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        into.destroy();
      });
      if (this.#isCut) from.pause();
    }
  }
}
