// The door on a real socket, `/mcp` beside it, and a client that sends whatever bytes a test gives it.
import { connect, type Socket } from "node:net";
import { openHttp } from "../../../hosts/gateway/doors/mcp/http.ts";
import { type ServeOptions, serve, type Serving } from "../../../hosts/gateway/doors/http/serve.ts";
import { Relays } from "../../../hosts/gateway/upstream/relay.ts";
import { broken } from "./contract.ts";
import { type Json, World, type WorldOptions } from "./world.ts";

/** One answer of a connection. */
export interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Json;
}

export class Listening {
  readonly world: World;
  readonly serving: Serving;
  readonly port: number;
  readonly #mcp: { close(): Promise<void> };

  static async open(options: WorldOptions = {}, times: ServeOptions = {}): Promise<Listening> {
    let mcp: ReturnType<typeof openHttp> | null = null;
    const world = await World.open({ mcp: (request, caller) => mcp!.fetch(request, caller), ...options });
    mcp = openHttp({ gateway: world.house.gateway, settings: () => world.settings, relays: new Relays() });
    return new Listening(world, await serve(world.settings, world.door, times), mcp);
  }

  /** A world's door alone, on a socket. */
  static async over(world: World): Promise<Listening> {
    return new Listening(world, await serve(world.settings, world.door), { close: async () => undefined });
  }

  private constructor(world: World, serving: Serving, mcp: { close(): Promise<void> }) {
    this.world = world;
    this.serving = serving;
    this.port = serving.port;
    this.#mcp = mcp;
  }

  /** Stops the door, and lets its calls end. */
  async stop(): Promise<void> {
    await Promise.all([this.serving.stop(2_000), this.#mcp.close()]);
  }

  /** Stops the door, and takes the house away. */
  async close(): Promise<void> {
    await this.stop();
    await this.world.house.close();
  }

  /** A request's bytes: its first line, the headers that it needs and those of the test, its body. A test's header of the same name stands in the place of ours. */
  bytes(line: string, { headers = [], body = "", by = "model" }: { headers?: readonly string[]; body?: string; by?: string | null } = {}): string {
    const given = new Set(headers.map((header) => header.split(":")[0]!.trim().toLowerCase()));
    const own = ["host: gate.test", ...(by === null ? [] : [`authorization: Bearer ${this.world.keys[by] ?? by}`]), ...(body === "" ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`]), "connection: close"];
    return [`${line} HTTP/1.1`, ...own.filter((header) => !given.has(header.split(":")[0]!)), ...headers, "", body].join("\r\n");
  }

  /** Sends bytes, and gives what came back until the connection ended. */
  async raw(bytes: string | Buffer, { halfClose = false } = {}): Promise<string> {
    const socket = connect({ port: this.port, host: "127.0.0.1", allowHalfOpen: true });
    const parts: Buffer[] = [];
    socket.on("data", (part: Buffer) => parts.push(part));
    const ended = new Promise<void>((resolve) => {
      socket.once("end", resolve);
      socket.once("close", () => resolve());
      // A server that has said what it says may reset the connection of a client that goes on sending.
      socket.on("error", () => resolve());
    });
    if (halfClose) socket.end(bytes);
    else socket.write(bytes);
    await ended;
    socket.destroy();
    return Buffer.concat(parts).toString("latin1");
  }

  /** Asks, and gives the one answer; fails where the API's document does not have it so. */
  async ask(line: string, more: { headers?: readonly string[]; body?: string; by?: string | null } = {}): Promise<Heard> {
    const heard = parsed(await this.raw(this.bytes(line, more)));
    const [method, target] = line.split(" ") as [string, string];
    const wrong = target.startsWith("/v1/") ? broken({ method, path: target, status: heard.status, text: heard.text, type: heard.headers["content-type"] ?? null }) : null;
    if (wrong !== null) throw new Error(wrong);
    return heard;
  }

  /** A connection that the test drives itself. */
  async open(): Promise<Socket> {
    const socket = connect({ port: this.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("connect", resolve));
    return socket;
  }
}

/** An answer's text, read. A body in chunks is put together. */
export function parsed(text: string): Heard {
  const at = text.indexOf("\r\n\r\n");
  if (at < 0) return { status: 0, headers: {}, text, json: null };
  const [first, ...lines] = text.slice(0, at).split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));
  const rest = text.slice(at + 4);
  const body = Buffer.from(headers["transfer-encoding"] === "chunked" ? unchunked(rest) : rest, "latin1").toString("utf8");
  let json: Json = null;
  try {
    json = JSON.parse(body);
  } catch {
    // Not every answer is JSON; a test that expects it says so.
  }
  return { status: Number(first!.split(" ")[1]), headers, text: body, json };
}

function unchunked(text: string): string {
  let [whole, rest] = ["", text];
  for (;;) {
    const end = rest.indexOf("\r\n");
    const length = Number.parseInt(rest.slice(0, end), 16);
    if (end < 0 || !(length > 0)) return whole;
    whole += rest.slice(end + 2, end + 2 + length);
    rest = rest.slice(end + 4 + length);
  }
}

/** `400 json_duplicate`. */
export function code({ status, json }: Heard): string {
  return [status, json?.error?.code ?? json?.outcome ?? json?.decision].filter((word) => word !== undefined && word !== null).join(" ");
}
