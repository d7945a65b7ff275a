// The distributed engine over a real Restate server: the port's suite.
import { afterAll, beforeAll } from "vitest";
import { RestateEngine } from "../../../hosts/gateway/engine/restate/restate.ts";
import { freePorts, restateServer, type Server } from "./restate-server.ts";
import { engineSuite } from "./suite.ts";

let server: Server;
beforeAll(async () => {
  server = await restateServer();
  await server.start();
}, 60_000);
afterAll(() => server.dispose());
let made = 0;

engineSuite({
  name: "the distributed engine",
  fresh: async () => {
    const prefix = `suite${made++}`;
    const [port] = (await freePorts(1)) as [number];
    const all: RestateEngine[] = [];
    const open = () => {
      const engine = new RestateEngine({ ingress: server.ingress, admin: server.admin, prefix, listen: { host: "127.0.0.1", port }, advertise: null, identityKeys: [] });
      all.push(engine);
      return engine;
    };
    return {
      engine: open(),
      again: async () => open(),
      dispose: async () => {
        for (const engine of all) await engine.stop(0);
      },
    };
  },
});
