// A balancer in front of several gateways, as Restate sees them: one address, each request to the next gateway that is up and that its path is for.
import { connect, createServer, type ClientHttp2Session, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";

export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/** @param ports of the gateways on this machine that a path is for; those that are down are passed over */
export async function balancer(ports: (path: string) => readonly number[]): Promise<Balancer> {
  const server = createServer();
  const fronts = new Set<ServerHttp2Session>();
  const backs = new Map<number, ClientHttp2Session>();
  let turn = 0;
  server.on("session", (session) => {
    fronts.add(session);
    session.on("close", () => fronts.delete(session));
    session.on("error", () => undefined);
  });
  const open = (port: number): Promise<ClientHttp2Session | null> => {
    const known = backs.get(port);
    if (known !== undefined && !known.closed && !known.destroyed) return Promise.resolve(known);
    return new Promise((resolve) => {
      const session = connect(`http://127.0.0.1:${port}`);
      session.once("connect", () => {
        backs.set(port, session);
        resolve(session);
      });
      session.on("error", () => {
        backs.delete(port);
        resolve(null);
      });
    });
  };
  server.on("stream", (front, headers) => {
    front.on("error", () => undefined);
    void (async () => {
      const all = ports(String(headers[":path"]));
      const first = turn++;
      for (let at = 0; at < all.length; at++) {
        const session = await open(all[(first + at) % all.length]!);
        if (session === null) continue;
        const back = session.request({ ...headers, ":authority": undefined }, { endStream: false });
        back.on("response", (answer) => !front.destroyed && front.respond(answer));
        back.on("error", () => front.close(8));
        back.on("close", () => front.close(back.rstCode));
        front.on("close", () => back.close(front.rstCode));
        back.pipe(front);
        front.pipe(back);
        return;
      }
      front.respond({ ":status": 503 }, { endStream: true });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of [...fronts, ...backs.values()]) session.destroy();
      }),
  };
}
