// Tells the configured webhooks of every new question, at least once: what was told is kept, and what was not is told after a restart.
import type { ApprovalRecord } from "../approvals/record.ts";
import type { WebhookSettings } from "../config/settings.ts";
import type { Engine } from "../engine/port.ts";
import { post } from "./webhook.ts";

/** Between two attempts, in milliseconds; after the last one the next start of the gateway tries again. */
const PAUSES = [0, 1_000, 5_000, 30_000, 120_000, 600_000];

export interface Notifier {
  /** Tells of a question, now and until every webhook has taken it. */
  opened(approval: ApprovalRecord): void;
  /** Tells of a tenant's open questions that were not told. */
  resume(tenant: string): Promise<void>;
  close(): void;
}

/** What a notification says: which question, of which tool, and where to answer; never an argument's value. */
function body({ id, tenant, session, agent, tool, askedAt, expiresAt }: ApprovalRecord, publicUrl: string): string {
  return JSON.stringify({ type: "approval.opened", approval: id, tenant, session, agent, tool, asked_at: askedAt, expires_at: expiresAt, url: `${publicUrl}/#/inbox/${id}` });
}

/**
 * @param failed told of each webhook that did not take a notification, once per attempt
 * @param pauses milliseconds between attempts, for tests
 */
export function createNotifier(
  parts: {
    readonly engine: Engine;
    readonly webhooks: (tenant: string) => readonly WebhookSettings[];
    /** The address of the inbox; a notification waits until it is known. */
    readonly publicUrl: () => string | Promise<string>;
    /** Milliseconds since 1970. */
    readonly clock: () => number;
    readonly failed: (tenant: string, approval: string, error: unknown) => void;
  },
  pauses: readonly number[] = PAUSES,
): Notifier {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const inHand = new Set<string>();
  let closed = false;

  const key = (approval: string, index: number): string => `notified/${approval}/${index}`;
  const attempt = async (approval: ApprovalRecord, webhook: WebhookSettings, index: number, tries: number): Promise<void> => {
    const { tenant, id } = approval;
    try {
      if ((await parts.engine.get(tenant, key(id, index))) === null) {
        const { status } = await post(webhook, `${id}.${index}`, body(approval, await parts.publicUrl()), { timeoutMs: 10_000, bytes: 65_536, now: Math.floor(parts.clock() / 1000) });
        if (status < 200 || status >= 300) throw new Error(`the webhook answered with status ${status}`);
        await parts.engine.commit({ tenant, changes: [{ key: key(id, index), value: String(parts.clock()) }] });
      }
      inHand.delete(key(id, index));
    } catch (error) {
      if (closed) return;
      parts.failed(tenant, id, error);
      const pause = pauses[tries + 1];
      if (pause === undefined) inHand.delete(key(id, index));
      else later(pause, () => attempt(approval, webhook, index, tries + 1));
    }
  };
  const later = (pause: number, work: () => Promise<void>): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void work();
    }, pause);
    timer.unref();
    timers.add(timer);
  };
  const opened = (approval: ApprovalRecord): void => {
    for (const [index, webhook] of parts.webhooks(approval.tenant).entries()) {
      if (closed || inHand.has(key(approval.id, index))) continue;
      inHand.add(key(approval.id, index));
      later(pauses[0] ?? 0, () => attempt(approval, webhook, index, 0));
    }
  };
  return {
    opened,
    resume: async (tenant) => {
      for (let after: string | undefined; ; ) {
        const page = await parts.engine.list(tenant, "approval/", { limit: 200, ...(after === undefined ? {} : { after }) });
        for (const { value } of page) {
          const approval = JSON.parse(value) as ApprovalRecord;
          if (approval.state === "open") opened(approval);
        }
        after = page.at(-1)?.key;
        if (page.length < 200) return;
      }
    },
    close: () => {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
