// The HTTP door over a whole house, with callers of every kind; without a socket, and on one.
import { keyHash } from "../../../hosts/gateway/callers/keys.ts";
import { createAuthenticator } from "../../../hosts/gateway/callers/authenticate.ts";
import type { CallerSettings, Settings } from "../../../hosts/gateway/config/settings.ts";
import { createHttpDoor, type HttpDoor, type HttpDoorOptions } from "../../../hosts/gateway/doors/http/door.ts";
import { House } from "../people/house.ts";

const caller = (name: string, over: Partial<CallerSettings> = {}): CallerSettings => ({ name, tenant: "shop", agents: ["desk"], sha256: keyHash(`ik_the-key-of-${name}`), subject: null, principal: null, approver: name, may: [], expires: null, ...over });

/** Callers by what they may. `bot` is granted nothing. */
export const CALLERS: readonly CallerSettings[] = [
  caller("bot"),
  caller("host", { may: ["turns", "origins", "context", "resource", "principal", "confirmation", "undo", "agent", "report", "receipt"] }),
  caller("ann", { agents: [], may: ["approve"] }),
  caller("bob", { agents: [], may: ["approve"] }),
  caller("looker", { agents: [], may: ["read_approvals", "sessions"] }),
  caller("root", { agents: [], may: ["admin"] }),
  caller("other", { tenant: "elsewhere", agents: ["desk"], may: ["admin"] }),
  caller("late", { expires: 1_764_400_000 }),
];

export interface Opened {
  readonly house: House;
  readonly door: HttpDoor;
  /** Asks as a caller; `body` is text, or a value. */
  ask(name: string | null, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<{ status: number; json: any; text: string; headers: Headers }>;
}

export async function opened(over: Partial<HttpDoorOptions> = {}, more: { readonly callers?: readonly CallerSettings[]; readonly policy?: unknown; readonly limits?: Partial<Settings["limits"]> } = {}): Promise<Opened> {
  const house = await House.open(more.policy);
  const settings = (): Settings =>
    ({
      ...house.settings,
      tenants: { ...house.settings.tenants },
      publicUrl: "https://gate.example",
      allowedHosts: ["inside.example"],
      allowedOrigins: ["https://pages.example"],
      callers: more.callers ?? CALLERS,
      issuers: [],
      limits: { bodyBytes: 100_000, inFlight: 50, ...more.limits },
    }) as Settings;
  let ids = 0;
  const door = createHttpDoor({
    gateway: house.gateway,
    settings,
    authenticate: createAuthenticator(settings, () => Math.floor(house.now / 1000)),
    metrics: async () => "up 1\n",
    keys: () => house.keys,
    requestId: () => `r-${ids++}`,
    version: "1.2.3",
    ...over,
  });
  return {
    house,
    door,
    ask: async (name, method, path, body, headers = {}) => {
      const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      const response = await door.fetch(
        new Request(`http://127.0.0.1:8484${path}`, {
          method,
          headers: { ...(name === null ? {} : { authorization: `Bearer ik_the-key-of-${name}` }), ...(text === undefined ? {} : { "content-type": "application/json" }), ...headers },
          ...(text === undefined ? {} : { body: text }),
        }),
      );
      const answer = await response.text();
      let json: unknown;
      try {
        json = JSON.parse(answer);
      } catch {
        // Not JSON: the text is looked at.
      }
      return { status: response.status, json, text: answer, headers: response.headers };
    },
  };
}
