// The console's built files: read once, served with their types, and kept for good by browsers where their names hold a hash.
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { Failure } from "../../../shared/web/failure.ts";

/** A file as it is served. */
export interface ServedFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The files by their paths in an address. */
export type ConsoleFiles = ReadonlyMap<string, ServedFile>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/** Reads every file of a folder. Fails where the folder has no `index.html`. */
export async function readConsole(folder: string): Promise<ConsoleFiles> {
  const files = new Map<string, ServedFile>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length).replaceAll("\\", "/").replace(/^\/?/, "/");
    const body = new Uint8Array(await readFile(path));
    const hashed = /^\/assets\/.+-[A-Za-z0-9_-]{8}\.[a-z0-9]+$/.test(name);
    const isPage = extname(name) === ".html";
    files.set(name, {
      type: TYPES[extname(name)] ?? "application/octet-stream",
      body,
      headers: { "cache-control": hashed ? "public, max-age=31536000, immutable" : "no-cache", ...(isPage ? { "content-security-policy": `${contentPolicy(new TextDecoder().decode(body))}; frame-ancestors 'none'` } : {}) },
    });
  }
  const index = files.get("/index.html");
  if (index === undefined) throw new Error(`the console is not at ${folder}: \`npm run build\` builds it`);
  files.set("/", index);
  return files;
}

/** The file at a path, as an answer; null where there is none. Fails with `method`. */
export function consoleAnswer(files: ConsoleFiles, request: Request, pathname: string): Response | null {
  const file = files.get(pathname);
  if (file === undefined) return null;
  if (request.method !== "GET" && request.method !== "HEAD") throw new Failure(405, "method", "there is only something to read here", { headers: { allow: "GET, HEAD" } });
  const headers = { "content-type": file.type, "content-length": String(file.body.length), "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin", ...file.headers };
  return new Response(request.method === "HEAD" ? null : file.body, { headers });
}

/** What the page itself says of what may run in it; a header adds who may frame it, which only a header can. */
function contentPolicy(page: string): string {
  return /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1] ?? "default-src 'none'";
}
