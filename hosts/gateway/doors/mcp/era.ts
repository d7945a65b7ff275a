// Which of the protocol's two eras a message is of: since 2026-07-28 every request says so in `_meta`.
import { CLIENT_CAPABILITIES_META_KEY, isJSONRPCRequest, PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import type { Incoming } from "./message.ts";

/** The newer revision that is served. */
export const MODERN = "2026-07-28";

/** What a message of the newer era claims. */
export interface Claim {
  /** Whether the claim is whole and of the revision that is served; else the library answers what is wrong with it. */
  readonly served: boolean;
  /** Whether the client opens addresses for people. */
  readonly takesUrl: boolean;
}

/** The claim of a message; null where it makes none: then it is of the older era. */
export function modernClaim({ value }: Incoming): Claim | null {
  const meta = (value["params"] as { _meta?: Record<string, unknown> } | undefined)?._meta;
  const version = typeof meta === "object" && meta !== null ? meta[PROTOCOL_VERSION_META_KEY] : undefined;
  if (version === undefined) return null;
  const capabilities = meta?.[CLIENT_CAPABILITIES_META_KEY] as { elicitation?: { url?: unknown } } | null | undefined;
  const whole = typeof capabilities === "object" && capabilities !== null && foundBefore("request", value, () => isJSONRPCRequest(value));
  return { served: version === MODERN && whole, takesUrl: typeof capabilities?.elicitation?.url === "object" && capabilities.elicitation.url !== null };
}

/** So many finds, none of them longer. */
const FINDS = 256;
const LONGEST = 4096;
const found = new Set<string>();

/**
 * What the protocol library finds right in a request, but for its id and a call's tool and arguments, which it does not look into: remembered, since clients say
 * the same with each request and the library takes longer to look than the rest of the door. What it finds wrong is asked again.
 */
export function foundBefore(of: string, { id, params, ...rest }: Incoming["value"], find: () => boolean): boolean {
  const { name, arguments: given, ...others } = (params ?? {}) as Record<string, unknown>;
  const key = JSON.stringify([of, rest, typeof id, params === null || Array.isArray(params) ? "none" : typeof params, typeof name, typeof given, others]);
  if (found.has(key)) return true;
  const isRight = find();
  if (!isRight || key.length > LONGEST) return isRight;
  if (found.size >= FINDS) found.clear();
  found.add(key);
  return true;
}
