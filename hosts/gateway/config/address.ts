// The address that people reach a gateway at where its file names none: what it listens at, with the port that was bound.
import type { Settings } from "./settings.ts";

/** The address of a socket; one that listens everywhere is `localhost`. The port is 0 where the system is to choose it. */
export function addressOf({ host, port, tls }: Settings["listen"]): string {
  return `${tls === null ? "http" : "https"}://${shownHost(host)}:${port}`;
}

/** Settings whose address gets its port from a door: where the system chose it, people are told the one that was bound. */
export class Bound {
  readonly #settings: () => Settings;
  #port: number | null = null;
  /** The settings that were seen last, and as they are once a door listens. */
  #last: readonly [Settings, Settings] | null = null;

  constructor(settings: () => Settings) {
    this.#settings = settings;
  }

  /** The settings in force now. */
  readonly settings = (): Settings => {
    const now = this.#settings();
    if (this.#port === null || now.listen.port !== 0 || now.publicUrl !== addressOf(now.listen)) return now;
    if (this.#last?.[0] !== now) this.#last = [now, { ...now, publicUrl: addressOf({ ...now.listen, port: this.#port }) }];
    return this.#last[1];
  };

  /** A door listens; the first one that does is the one that people reach. */
  listensAt(port: number): void {
    this.#port ??= port;
  }
}

/** New settings over a socket that stays as it was: an address that was made of what the file says of it stays too. */
export function stillAt(next: Settings, listen: Settings["listen"]): Settings {
  return { ...next, listen, publicUrl: next.publicUrl === addressOf(next.listen) ? addressOf(listen) : next.publicUrl };
}

function shownHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
