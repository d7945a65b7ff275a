// A Worker that runs the store's suite over Durable Objects, and answers at /suite what went wrong.
import { ObjectStore, SessionHeads } from "../../hosts/worker/worker.ts";
import { storeProblems } from "./store-suite.js";

export { SessionHeads };

export default {
  fetch: async (request, env) => Response.json(new URL(request.url).pathname === "/suite" ? await storeProblems(new ObjectStore(env.INTERLOCK_SESSIONS)) : "ready"),
};
