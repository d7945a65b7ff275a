// The pin of tools: each is offered with the listing that was approved, and one that changed is held until a person has seen the difference.
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditBody } from "../audit/entry.ts";
import type { ListingRecord } from "../approvals/record.ts";
import { part } from "../call/keys.ts";
import type { Listings } from "../call/parts.ts";
import type { Engine } from "../engine/port.ts";
import { type Caller, GatewayError } from "../gateway.ts";
import type { Declared } from "../policies/policies.ts";
import type { Listed, Upstream } from "../upstream/port.ts";
import { listingChanges } from "./diff.ts";

export interface ListingParts {
  readonly engine: Engine;
  readonly upstream: Pick<Upstream, "listed" | "onChanged">;
  /** What the policy in force says of tools: whether it names one, and the digest of the listing that it was imported from. */
  readonly declared: (tenant: string) => Promise<(tool: string) => Declared>;
  readonly clock: () => number;
  /** Told of a tenant of which a listing was approved or is held since before. */
  readonly changed?: (tenant: string) => void;
}

/** The record as it is kept: `stated` is the last listing that was approved by the policy. */
type KeptListing = ListingRecord & { readonly stated?: string };

/** Looks at a tenant's tools begin so far apart, in milliseconds: a server that says all the time that it changed costs no more than that. */
const APART = 100;

/** What approves a listing that nobody has seen before: the policy's owner, who named the tool. */
export const BY_POLICY = "policy";

export class PinnedListings implements Listings {
  readonly #parts: ListingParts;
  #forget: (() => void) | null = null;
  /** The records that calls looked at: a listing is long, and mostly the one that the call before saw. */
  readonly #read = new Map<string, { readonly value: string; readonly record: ListingRecord }>();
  /** One look at a tenant's tools at a time, and at most one that waits: it serves everybody who asked meanwhile. */
  readonly #looks = new Map<string, { now: Promise<void>; next: Promise<void> | null }>();

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

  /** Compares what a tenant's servers list now with what was approved: to be called too when another policy is in force. Answered when a look that began after this is over. */
  look(tenant: string): Promise<void> {
    const looks = this.#looks.get(tenant);
    if (looks !== undefined) {
      looks.next ??= looks.now
        .catch(() => undefined)
        .then(() => sleep(APART))
        .then(() => this.#begin(tenant));
      return looks.next;
    }
    return this.#begin(tenant);
  }

  #begin(tenant: string): Promise<void> {
    const looks = { now: this.#compareAll(tenant), next: null as Promise<void> | null };
    this.#looks.set(tenant, looks);
    const over = (): void => {
      if (looks.next === null && this.#looks.get(tenant) === looks) this.#looks.delete(tenant);
    };
    looks.now.then(over, over);
    return looks.now;
  }

  async #compareAll(tenant: string): Promise<void> {
    const declared = await this.#parts.declared(tenant);
    for (const listed of await this.#parts.upstream.listed(tenant)) await this.#compare(listed, tenant, declared(listed.tool));
  }

  async standing(tenant: string, tool: string): Promise<ListingRecord | null> {
    const key = listingKey(tool);
    const stored = await this.#parts.engine.get(tenant, key);
    if (stored === null) return null;
    const name = `${tenant}\u0000${key}`;
    const known = this.#read.get(name);
    if (known?.value === stored.value) return known.record;
    const record = JSON.parse(stored.value) as ListingRecord;
    this.#read.set(name, { value: stored.value, record });
    return record;
  }

  async listings(tenant: string): Promise<readonly ListingRecord[]> {
    const found: ListingRecord[] = [];
    for (let after: string | undefined; ; ) {
      const page = await this.#parts.engine.list(tenant, "listing/", { limit: 500, ...(after === undefined ? {} : { after }) });
      found.push(...page.map(({ value }) => shown(JSON.parse(value) as KeptListing)));
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
      const record = stored === null ? null : (JSON.parse(stored.value) as KeptListing);
      if (stored === null || record?.pending == null) throw new GatewayError(404, "listing_not_found", "no listing of this tool waits for an approval");
      if (record.pending.digest !== digest) throw new GatewayError(409, "listing_changed", "the tool's listing changed again since it was shown: look at it anew");
      const { listing } = record.pending;
      const next: KeptListing = { ...record, approved: { digest, listing, by: caller.approver, at: clock() }, pending: null };
      const told: AuditBody = { event: "listing.approved", at: clock(), actor: caller.name, approvers: [caller.approver], tool, listing: digest };
      if ((await engine.commit({ tenant: caller.tenant, changes: [{ key: listingKey(tool), value: JSON.stringify(next), expect: stored.version }], audit: [told] })).ok) {
        this.#parts.changed?.(caller.tenant);
        return shown(next);
      }
    }
  }

  async #compare({ tool, server, digest, listing }: Listed, tenant: string, declared: Declared): Promise<void> {
    const { engine, clock } = this.#parts;
    for (;;) {
      const stored = await engine.get(tenant, listingKey(tool));
      const record = stored === null ? null : (JSON.parse(stored.value) as KeptListing);
      if (record?.approved?.digest === digest && record.pending === null) return;
      const byPolicy = record?.approved?.digest !== digest && statedBy(declared, record, digest);
      if (!byPolicy && record?.approved?.digest !== digest && record?.pending?.digest === digest) return;
      let next: KeptListing;
      let told: AuditBody;
      if (record?.approved?.digest === digest) {
        next = { ...record, pending: null };
        told = { event: "listing.approved", at: clock(), actor: "gateway", tool, listing: digest, detail: { again: true } };
      } else if (byPolicy) {
        next = { tenant, tool, server, approved: { digest, listing, by: BY_POLICY, at: clock() }, pending: null, stated: digest };
        told = { event: "listing.approved", at: clock(), actor: "gateway", tool, listing: digest, approvers: [BY_POLICY] };
      } else {
        next = { ...record, tenant, tool, server, approved: record?.approved ?? null, pending: { digest, listing, seenAt: clock() } };
        told = { event: "listing.held", at: clock(), actor: "gateway", tool, listing: digest, detail: { server, approved: record?.approved?.digest ?? null } };
      }
      if ((await engine.commit({ tenant, changes: [{ key: listingKey(tool), value: JSON.stringify(next), expect: stored?.version ?? null }], audit: [told] })).ok) return this.#parts.changed?.(tenant);
    }
  }
}

/**
 * Whether the policy's owner has approved a listing. A tool that was imported from a listing is approved as it was listed there, once: when a person has
 * approved another listing since, the old one does not come back by itself. One that they wrote themselves is approved by having been written, as it is first seen.
 */
function statedBy({ named, listing }: Declared, record: KeptListing | null, digest: string): boolean {
  if (!named) return false;
  return listing === null ? record === null || record.approved === null : listing === digest && record?.stated !== digest;
}

/** The record with what a person is asked about. */
function shown({ stated: _stated, ...record }: KeptListing): ListingRecord {
  return record.pending === null ? record : { ...record, changes: listingChanges(record.approved?.listing ?? null, record.pending.listing) };
}

function listingKey(tool: string): string {
  return `listing/${part(tool)}`;
}
