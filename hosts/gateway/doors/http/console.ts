// The console's built files, read once: each with its type, its page with its content policy.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml" };

/** Answers GET and HEAD of the files in a folder, `/` being its page. Null for every other path, and for all where the folder is not there. */
export function consoleFiles(folder: string): (path: string, method: string) => Response | null {
  const files = new Map<string, { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> }>();
  if (existsSync(join(folder, "index.html"))) {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const file = join(folder, name);
      if (!statSync(file).isFile()) continue;
      const body = new Uint8Array(readFileSync(file));
      const type = TYPES[extname(file)] ?? "application/octet-stream";
      const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(type.startsWith("text/html") ? new TextDecoder().decode(body) : "")?.[1];
      const cached = name.replaceAll("\\", "/").startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      files.set(`/${name.replaceAll("\\", "/")}`, { body, headers: { "content-type": type, "cache-control": cached, ...(policy === undefined ? {} : { "content-security-policy": `${policy}; frame-ancestors 'none'` }) } });
    }
    files.set("/", files.get("/index.html")!);
  }
  return (path, method) => {
    const file = files.get(path);
    if (file === undefined) return null;
    if (method !== "GET" && method !== "HEAD") return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
    return new Response(method === "HEAD" ? null : file.body, { headers: file.headers });
  };
}
