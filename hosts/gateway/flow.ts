// Puts the gateway together: the walk of calls, the sessions, and the rooms where people decide, behind the one face that doors see.
import { VALUES } from "./audit/values.ts";
import type { Runner } from "./engine/port.ts";
import type { Gateway } from "./gateway.ts";
import { Editing } from "./approvals/editing.ts";
import { requireGoing, withStop } from "./approvals/stopped.ts";
import { Calls } from "./call/calls.ts";
import type { Parts } from "./call/parts.ts";
import { Offers } from "./call/offers.ts";
import { Settling } from "./call/settling.ts";
import { lookAfterCalls, takeUpCalls } from "./call/taking-up.ts";
import { Undoing } from "./call/undoing.ts";
import { Watching } from "./call/watching.ts";
import { Erasing } from "./operations/erasing.ts";
import { Retention, RETENTION } from "./operations/retention.ts";
import { Slots } from "./rows/edge/slots.ts";
import { Turns } from "./rows/before/turns.ts";
import { Outside } from "./sessions/outside.ts";
import { Sessions } from "./sessions/sessions.ts";

/** A gateway, and what whoever starts it needs besides. */
export interface RunningGateway extends Gateway {
  /** For `engine.start`. */
  readonly runner: Runner;
  /** Takes up every call that has not ended; to be called once, after `engine.start`. */
  takeUp(): Promise<void>;
  /** Takes up what another gateway that shares the store left behind; to be called now and then. */
  lookAfter(): Promise<void>;
  /** Plans by the settings in force what is planned by settings; to be called after others were taken. */
  planned(): Promise<void>;
}

/** Puts a gateway together. It starts nothing: call `engine.start(gateway.runner, seal)`, then `takeUp()`. */
export function createGateway(parts: Parts): RunningGateway {
  const sessions = new Sessions(parts.engine);
  const shared = { parts, sessions, turns: new Turns(), slots: new Slots(), running: new Map<string, AbortController>() };
  const settling = new Settling(shared);
  const calls = new Calls(shared, (tenant, call, by) => settling.cancel(tenant, call, by));
  const outside = new Outside(shared);
  const editing = new Editing(parts, calls);
  const erasing = new Erasing(shared);
  const retention = new Retention(shared, erasing);
  const undoing = new Undoing(shared, calls);
  const watching = new Watching(parts);
  const offers = new Offers(parts);
  const { approvals, policies, kills, listings } = parts;
  return {
    runner: async (tenant, call) => {
      if (call === RETENTION) return retention.run(tenant);
      await editing.run(tenant, call);
      await undoing.run(tenant, call);
      await calls.run(tenant, call);
    },
    takeUp: async () => {
      await editing.takeUp();
      await takeUpCalls(parts);
      await undoing.takeUp();
      await retention.start();
    },
    lookAfter: () => lookAfterCalls(parts),
    planned: () => retention.start(),
    call: (proposal, signal) => calls.call(proposal, signal),
    outcome: (tenant, call, waitMs, signal) => calls.looked(tenant, call, waitMs, signal),
    record: (tenant, call) => watching.record(tenant, call),
    cancel: (tenant, call, by) => settling.cancel(tenant, call, by),
    offered: (tenant, agent) => offers.offered(tenant, agent),
    approvals: async (tenant, filter) => (await approvals.approvals(tenant, filter)).map((approval) => withStop(approval, kills)),
    approval: async (tenant, id) => {
      const approval = await approvals.approval(tenant, id);
      return approval === null ? null : withStop(approval, kills);
    },
    decide: async (caller, id, decision) => {
      if (decision.answer === "approve") requireGoing(await approvals.approval(caller.tenant, id), kills);
      return approvals.decide(caller, id, decision);
    },
    edit: async (caller, id, edited, why) => {
      requireGoing(await approvals.approval(caller.tenant, id), kills);
      return editing.edit(caller, id, edited, why);
    },
    edits: (tenant, call, waitMs, signal) => editing.making(tenant, call, waitMs, signal),
    expire: (caller, id) => approvals.expire(caller, id),
    events: (tenant, signal, after) => watching.events(tenant, signal, after),
    listings: (tenant) => listings.listings(tenant),
    approveListing: (caller, tool, digest) => listings.approveListing(caller, tool, digest),
    session: (tenant, session) => sessions.history(tenant, session),
    eraseSession: async (caller, session) => {
      await erasing.session(caller.tenant, session, { actor: caller.name });
      await parts.engine.scrub?.();
    },
    purge: (caller, dryRun) => retention.purge(caller.tenant, caller.name, dryRun),
    report: (caller, report) => outside.report(caller, report),
    receipt: (caller, question) => outside.receipt(caller, question),
    read: (tenant, agent, turn, session) => outside.read(tenant, agent, turn, session),
    settle: (caller, call, status, why) => settling.settle(caller, call, status, why),
    undo: (caller, session, steps) => undoing.undo(caller, session, steps),
    policy: (tenant) => policies.policy(tenant),
    registerPolicy: (caller, source, dryRun) => policies.registerPolicy(caller, source, dryRun),
    rollBackPolicy: (caller, id) => policies.rollBackPolicy(caller, id),
    kills: (tenant) => kills.kills(tenant),
    kill: (caller, kill) => kills.kill(caller, kill),
    liftKill: (caller, id) => kills.liftKill(caller, id),
    audit: (tenant, from, limit) => parts.engine.audit(tenant, from, limit),
    auditValues: (tenant, after, limit) => parts.engine.list(tenant, VALUES, after === undefined ? { limit } : { limit, after }),
    calls: (tenant, filter) => watching.calls(tenant, filter),
    health: () => watching.health(),
  };
}
