// Refuses what reached the gateway under a name that is not its own, or from a page that is not its own: one answer for every door over HTTP.
import { Failure } from "../../shared/web/failure.ts";
import type { Settings } from "../config/settings.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

type Known = Pick<Settings, "publicUrl" | "allowedHosts" | "allowedOrigins">;

/**
 * Refuses a request that reached this address under a name that is not the gateway's (DNS rebinding), or that names two. `url` is the request's address.
 * What a proxy adds (Forwarded, X-Forwarded-…) is never read: anybody can send it. Fails with `host_unknown` (421).
 */
export function requireHost(request: Request, url: URL, { publicUrl, allowedHosts }: Known): void {
  const host = (request.headers.get("host") ?? url.host).toLowerCase();
  const known = hostsOf(publicUrl, allowedHosts);
  // A target that is a whole address names its host too.
  const isOne = url.host === "" || withoutPort(url.host) === withoutPort(host);
  if (!isOne || (!known.has(host) && !known.has(withoutPort(host)))) throw new Failure(421, "host_unknown", "the gateway is not known under this name: allowed_hosts lists the names");
}

/** The names of the last settings that were asked by: they are the same from request to request. */
let last: { readonly publicUrl: string; readonly allowedHosts: readonly string[]; readonly names: ReadonlySet<string> } | null = null;

function hostsOf(publicUrl: string, allowedHosts: readonly string[]): ReadonlySet<string> {
  if (last?.publicUrl === publicUrl && last.allowedHosts === allowedHosts) return last.names;
  const own = new URL(publicUrl);
  const names = new Set([own.host, own.hostname, ...allowedHosts, ...LOOPBACK].map((each) => each.toLowerCase()));
  last = { publicUrl, allowedHosts, names };
  return names;
}

/** The page's origin, where a page of another origin sent the request that may; null otherwise. Fails with `origin_unknown` (403). */
export function foreignOrigin(request: Request, url: URL, { publicUrl, allowedOrigins }: Known): string | null {
  const origin = request.headers.get("origin");
  if (origin === null || origin === new URL(publicUrl).origin || origin === url.origin) return null;
  if (allowedOrigins.includes(origin)) return origin;
  throw new Failure(403, "origin_unknown", "pages of this origin may not call here: allowed_origins lists those that may");
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, "");
}
