// The conformance driver in workerd: POST /conform answers the lines of its body; GET /use uses the package once.
import { answersTo } from "./lines.js";
import { use } from "./use.js";

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/conform" && request.method === "POST") return new Response(answersTo(request.body), { headers: { "content-type": "application/x-ndjson" } });
    if (pathname === "/use") return new Response(await use());
    return new Response("POST /conform, or GET /use", { status: 404 });
  },
};
