// The HTTP door over a whole house, the real flow and rooms on disk: callers with keys of every kind, and a short way to ask.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthenticate } from "../../../hosts/gateway/callers/authenticate.ts";
import { keyHash, newKey } from "../../../hosts/shared/caller-keys.ts";
import type { CallerSettings, Grant, IssuerSettings, Settings } from "../../../hosts/gateway/config/settings.ts";
import { createHttpDoor, type HttpDoor } from "../../../hosts/gateway/doors/http/door.ts";
import type { Gateway } from "../../../hosts/gateway/gateway.ts";
import type { HttpDoorParts } from "../../../hosts/gateway/doors/http/parts.ts";
import { POLICY } from "../flow/shop.ts";
import { House } from "../people/house.ts";
import { broken } from "./contract.ts";

export type Json = any;

export interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

export interface Asking {
  readonly by?: string | null;
  readonly headers?: Record<string, string>;
  readonly type?: string;
}

const TABLE: readonly Grant[] = ["turns", "origins", "context", "resource", "agent", "principal", "confirmation", "approvals", "undo"];

/** Callers by name: what each is granted. */
const CALLERS: Readonly<Record<string, { agents?: readonly string[]; may?: readonly Grant[]; tenant?: string; principal?: Record<string, unknown>; expires?: number }>> = {
  model: { agents: ["desk"] },
  twin: { agents: ["desk"] },
  clerk: { agents: ["clerk"] },
  service: { agents: ["desk", "clerk"], may: [...TABLE, "report", "receipt", "sessions"] },
  person: { agents: ["desk"], principal: { id: "u-7" } },
  ana: { may: ["approve", "read_approvals"] },
  reader: { may: ["read_approvals"] },
  keeper: { may: ["policy", "kill", "audit", "metrics", "admin", "sessions"] },
  ...Object.fromEntries(TABLE.map((grant) => [`all-but-${grant}`, { agents: ["desk"], may: [...TABLE.filter((other) => other !== grant), "report", "receipt"] as Grant[] }])),
  nobody: {},
  root: { agents: ["desk", "clerk"], may: [...TABLE, "report", "receipt", "sessions", "approve", "read_approvals", "policy", "kill", "audit", "metrics", "admin"] },
  elsewhere: { tenant: "other", agents: ["desk"], may: [...TABLE, "report", "receipt", "sessions", "approve", "read_approvals", "policy", "kill", "audit", "metrics", "admin"] },
  expired: { agents: ["desk"], expires: 1_700_000_000 },
};

export interface WorldOptions extends Partial<HttpDoorParts> {
  readonly policy?: unknown;
  readonly inFlight?: number;
  readonly bodyBytes?: number;
  readonly issuers?: readonly IssuerSettings[];
  readonly callers?: readonly CallerSettings[];
  /** What stands before the gateway. */
  readonly over?: (gateway: Gateway) => Gateway;
}

export class World {
  readonly house: House;
  readonly door: HttpDoor;
  readonly keys: Readonly<Record<string, string>>;
  settings: Settings;
  readonly logged: { readonly code: string }[] = [];
  #count = 0;

  static async open({ policy, ...options }: WorldOptions = {}): Promise<World> {
    const house = await House.open(policy);
    // A second tenant, with a policy of its own over the same tools.
    const file = join(house.folder, "other.yaml");
    writeFileSync(file, JSON.stringify({ ...POLICY, tenant: "other" }));
    house.settings = { ...house.settings, tenants: { ...house.settings.tenants, other: { ...house.settings.tenants["shop"]!, name: "other" } } };
    await house.policies.fromFile("other", file);
    await house.kills.start(["other"]);
    await house.listings.start(["other"]);
    return new World(house, options);
  }

  private constructor(house: House, { inFlight = 64, bodyBytes = 65_536, issuers = [], callers: others = [], over = (gateway) => gateway, ...parts }: Omit<WorldOptions, "policy">) {
    this.house = house;
    const keys: Record<string, string> = {};
    const callers: CallerSettings[] = Object.entries(CALLERS).map(([name, { agents = [], may = [], tenant = "shop", principal = null, expires = null }]) => {
      const { key, sha256 } = newKey();
      keys[name] = key;
      return { name, tenant, agents, sha256, subject: null, principal, approver: name, may, expires };
    });
    this.keys = keys;
    this.settings = {
      listen: { host: "127.0.0.1", port: 0, tls: null },
      publicUrl: "http://gate.test",
      allowedHosts: ["gate.internal"],
      allowedOrigins: ["https://desk.test"],
      tenants: Object.fromEntries(Object.entries(house.settings.tenants).map(([name, tenant]) => [name, { ...tenant, passOn: { instructions: false, prompts: false, resources: false, sampling: false } }])),
      callers: [...callers, ...others],
      issuers,
      limits: { bodyBytes, inFlight },
    } as unknown as Settings;
    this.door = createHttpDoor({
      gateway: over(house.gateway),
      authenticate: createAuthenticate(() => this.settings, { clock: () => house.now }),
      log: (problem) => void this.logged.push(problem),
      auditKeys: async () => house.keys as object,
      metrics: async (tenant) => `up{tenant="${tenant}"} 1\n`,
      ...parts,
      settings: () => this.settings,
    });
  }

  /** A call's end, once what goes on by itself is over. */
  async end(call: string, by = "model"): Promise<Said> {
    return this.ask("GET", `/v1/calls/${call}?wait=20`, undefined, { by });
  }

  request(method: string, path: string, body?: BodyInit, { by = "service", headers = {}, type = "application/json" }: Asking = {}): Request {
    const all = new Headers({ host: "gate.test", ...(body === undefined ? {} : { "content-type": type }), ...(by === null ? {} : { authorization: `Bearer ${this.keys[by] ?? by}` }), ...headers });
    return new Request(`http://gate.test${path}`, { method, headers: all, ...(body === undefined ? {} : { body, ...(body instanceof ReadableStream ? { duplex: "half" } : {}) }) } as RequestInit);
  }

  /** What is answered; fails where the API's document does not have it so. */
  async ask(method: string, path: string, body?: BodyInit, asking: Asking = {}): Promise<Said> {
    const request = this.request(method, path, body, asking);
    const answer = await read(await this.door.fetch(request));
    const { status, headers, text } = answer;
    const wrong = broken({ method, path, status, text, type: headers.get("content-type"), sent: typeof body === "string" ? body : undefined, sentType: request.headers.get("content-type") ?? undefined });
    if (wrong !== null) throw new Error(wrong);
    return answer;
  }

  /** A call of the desk, by whom the test says. */
  async call(tool: string, args: unknown, more: Record<string, unknown> = {}, asking: Asking & { path?: string } = {}): Promise<Said> {
    const text = typeof args === "string" ? args : JSON.stringify(args);
    const body = `{"session":${JSON.stringify(more["session"] ?? `s-${++this.#count}`)},"tool":${JSON.stringify(tool)},"arguments":${text}${Object.entries(more).filter(([name]) => name !== "session").map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join("")}}`;
    return this.ask("POST", asking.path ?? "/v1/call", body, { by: "model", ...asking });
  }
}

export async function read(response: Response): Promise<Said> {
  const text = await response.text();
  let json: Json = null;
  try {
    json = JSON.parse(text);
  } catch {
    // Not every answer is JSON; a test that expects it says so.
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** A caller of the gateway's file; of the tenant `shop` and with nothing granted, unless the test says otherwise. */
export function caller(name: string, key: string | null, more: Partial<CallerSettings> = {}): CallerSettings {
  return { name, tenant: "shop", agents: [], sha256: key === null ? null : keyHash(key), subject: null, principal: null, approver: name, may: [], expires: null, ...more };
}

/** `200 result`, `403 member_reserved /now`. */
export function said({ status, json }: Said): string {
  const words = json?.error === undefined ? [status, json?.outcome ?? json?.decision, json?.reason ?? json?.reasons?.[0]] : [status, json.error.code, json.error.pointer];
  return words.filter((word) => word !== undefined && word !== null).join(" ");
}
