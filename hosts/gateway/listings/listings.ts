// The pin of tools: each is offered with the listing that was approved, and one that changed is held until a person has seen the difference.
import type { AuditBody } from "../audit/entry.ts";
import type { ListingRecord } from "../approvals/record.ts";
import { part } from "../call/keys.ts";
import type { Listings } from "../call/parts.ts";
import type { Engine } from "../engine/port.ts";
import { type Caller, GatewayError } from "../gateway.ts";
import type { Listed, Upstream } from "../upstream/port.ts";

export interface ListingParts {
  readonly engine: Engine;
  readonly upstream: Pick<Upstream, "listed" | "onChanged">;
  /** Whether the policy in force names the tool: its owner approved it by that, as it was first seen. */
  readonly declared: (tenant: string, tool: string) => Promise<boolean>;
  readonly clock: () => number;
}

/** What approves a listing that nobody has seen before: the policy's owner, who named the tool. */
export const BY_POLICY = "policy";

export class PinnedListings implements Listings {
  readonly #parts: ListingParts;
  #forget: (() => void) | null = null;
  /** One look at a tenant's tools at a time. */
  readonly #looks = new Map<string, Promise<void>>();

  constructor(parts: ListingParts) {
    this.#parts = parts;
  }

  /** Looks at every tenant's tools now, and whenever a server's list may have changed. */
  async start(tenants: readonly string[]): Promise<void> {
    this.#forget ??= this.#parts.upstream.onChanged((tenant) => void this.look(tenant).catch(() => undefined));
    for (const tenant of tenants) await this.look(tenant);
  }

  close(): void {
    this.#forget?.();
    this.#forget = null;
  }

  /** Compares what a tenant's servers list now with what was approved. */
  look(tenant: string): Promise<void> {
    const before = this.#looks.get(tenant) ?? Promise.resolve();
    const now = before.catch(() => undefined).then(async () => {
      for (const listed of await this.#parts.upstream.listed(tenant)) await this.#compare(tenant, listed);
    });
    this.#looks.set(tenant, now);
    return now;
  }

  async standing(tenant: string, tool: string): Promise<ListingRecord | null> {
    const stored = await this.#parts.engine.get(tenant, listingKey(tool));
    return stored === null ? null : (JSON.parse(stored.value) as ListingRecord);
  }

  async listings(tenant: string): Promise<readonly ListingRecord[]> {
    const found: ListingRecord[] = [];
    for (let after: string | undefined; ; ) {
      const page = await this.#parts.engine.list(tenant, "listing/", { limit: 500, ...(after === undefined ? {} : { after }) });
      found.push(...page.map(({ value }) => JSON.parse(value) as ListingRecord));
      if (page.length < 500) return found;
      after = page.at(-1)!.key;
    }
  }

  /** Approves exactly the listing that was shown. Fails with `not_granted`, `listing_not_found`, `listing_changed`. */
  async approveListing(caller: Caller, tool: string, digest: string): Promise<ListingRecord> {
    if (!caller.may.has("approve") && !caller.may.has("policy")) throw new GatewayError(403, "not_granted", "this caller may not approve tools: neither `approve` nor `policy` is among its grants");
    const { engine, clock } = this.#parts;
    for (;;) {
      const stored = await engine.get(caller.tenant, listingKey(tool));
      const record = stored === null ? null : (JSON.parse(stored.value) as ListingRecord);
      if (stored === null || record?.pending == null) throw new GatewayError(404, "listing_not_found", "no listing of this tool waits for an approval");
      if (record.pending.digest !== digest) throw new GatewayError(409, "listing_changed", "the tool's listing changed again since it was shown: look at it anew");
      const { listing } = record.pending;
      const next: ListingRecord = { ...record, approved: { digest, listing, by: caller.approver, at: clock() }, pending: null };
      const told: AuditBody = { event: "listing.approved", at: clock(), actor: caller.name, approvers: [caller.approver], tool, listing: digest };
      if ((await engine.commit({ tenant: caller.tenant, changes: [{ key: listingKey(tool), value: JSON.stringify(next), expect: stored.version }], audit: [told] })).ok) return next;
    }
  }

  async #compare(tenant: string, { tool, server, digest, listing }: Listed): Promise<void> {
    const { engine, clock, declared } = this.#parts;
    for (;;) {
      const stored = await engine.get(tenant, listingKey(tool));
      const record = stored === null ? null : (JSON.parse(stored.value) as ListingRecord);
      const now = { digest, listing, seenAt: clock() };
      let next: ListingRecord;
      let told: AuditBody;
      if (record?.approved?.digest === digest) {
        if (record.pending === null) return;
        next = { ...record, pending: null };
        told = { event: "listing.approved", at: clock(), actor: "gateway", tool, listing: digest, detail: { again: true } };
      } else if (record?.pending?.digest === digest) return;
      else if (record === null && (await declared(tenant, tool))) {
        next = { tenant, tool, server, approved: { digest, listing, by: BY_POLICY, at: clock() }, pending: null };
        told = { event: "listing.approved", at: clock(), actor: "gateway", tool, listing: digest, approvers: [BY_POLICY] };
      } else {
        next = { tenant, tool, server, approved: record?.approved ?? null, pending: now };
        told = { event: "listing.held", at: clock(), actor: "gateway", tool, listing: digest, detail: { server } };
      }
      if ((await engine.commit({ tenant, changes: [{ key: listingKey(tool), value: JSON.stringify(next), expect: stored?.version ?? null }], audit: [told] })).ok) return;
    }
  }
}

function listingKey(tool: string): string {
  return `listing/${part(tool)}`;
}
