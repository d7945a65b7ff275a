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
  const whole = typeof capabilities === "object" && capabilities !== null && isJSONRPCRequest(value);
  return { served: version === MODERN && whole, takesUrl: typeof capabilities?.elicitation?.url === "object" && capabilities.elicitation.url !== null };
}
