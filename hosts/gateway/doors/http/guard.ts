// What every request and answer has to have, whatever its path: a Host that is this gateway's, an Origin that may come, and headers that keep browsers careful.
import { GatewayError } from "../../gateway.ts";

/** Hosts that are always this machine's own. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** A request that came to another name than the gateway's (DNS rebinding), or from a page that may not call; null where it may pass. */
export function hostRefusal(request: Request, { allowedHosts, allowedOrigins, publicUrl }: { readonly allowedHosts: readonly string[]; readonly allowedOrigins: readonly string[]; readonly publicUrl: string }): GatewayError | null {
  const url = new URL(request.url);
  const host = (request.headers.get("host") ?? url.host).toLowerCase();
  const own = new URL(publicUrl);
  if (!LOCAL.test(host) && host !== own.host && !allowedHosts.some((one) => one.toLowerCase() === host || one.toLowerCase() === host.replace(/:\d+$/, ""))) {
    return new GatewayError(421, "host", "this gateway is not known by that name: add it to allowed_hosts");
  }
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== own.origin && origin !== `http://${host}` && origin !== `https://${host}` && !allowedOrigins.includes(origin)) {
    return new GatewayError(403, "origin", "pages of that origin may not call this gateway");
  }
  return null;
}

/** The answer with the headers that every answer has. */
export function secured(response: Response, requestId: string): Response {
  const headers = new Headers(response.headers);
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-resource-policy", "same-origin");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
