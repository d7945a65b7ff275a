// Serves a project's files to a browser, under a policy that lets scripts be these files alone and compile WebAssembly, nothing more.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };

/** A server of one folder. */
export interface Site {
  url: string;
  /** What /lines gives and where /answers goes. */
  input: string;
  output: string;
  stop(): Promise<void>;
}

/** The policy of a page: its own files, the inline import map by its digest, and WebAssembly. */
function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script type="importmap">([^<]*)<\/script>/g)].map(([, text]) => ` 'sha256-${createHash("sha256").update(text!).digest("base64")}'`);
  return `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'${inline.join("")}; connect-src 'self'`;
}

/** Serves a folder. */
export async function serveSite(folder: string): Promise<Site> {
  const site: Site = { url: "", input: "", output: "", stop: async () => undefined };
  const server = createServer((request, response) => {
    respond(folder, site, request, response).catch((error) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  site.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  site.stop = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return site;
}

async function respond(folder: string, site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? "/", site.url).pathname;
  if (path === "/answers" && request.method === "POST") {
    await pipeline(request, createWriteStream(site.output));
    response.end();
    return;
  }
  const file = path === "/lines" ? site.input : join(folder, normalize(path));
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    response.statusCode = 404;
    response.end();
    return;
  }
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  response.setHeader("content-type", type);
  if (type === "text/html") response.setHeader("content-security-policy", policyOf(readFileSync(file, "utf8")));
  await pipeline(createReadStream(file), response);
}
