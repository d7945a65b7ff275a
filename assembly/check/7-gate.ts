// Step 7: the rulebook's gate.

import { Environment, HistoryCounts } from "../cel/environment";
import { evaluate } from "../cel/evaluate";
import { writeString } from "../json/string";
import { Buffer, Text } from "../memory/buffer";
import { beginSteps } from "../memory/steps";
import { History } from "../history/history";
import { ALLOW_IF, ASK_IF, Flow, Rule, Tool } from "../policy/policy";
import { Call } from "./call";
import { lastTurn } from "./prepare";

/** The functions over the verified history. */
@final
class VerifiedCounts extends HistoryCounts {
  constructor(
    private history: History,
    private now: i64,
  ) {
    super();
  }

  ran(start: usize, length: i32): i64 {
    const counts = this.history.countsOf(new Text(start, length));
    return counts == null ? 0 : <i64>counts.ran;
  }

  allowed(start: usize, length: i32): i64 {
    const counts = this.history.countsOf(new Text(start, length));
    return counts == null ? 0 : <i64>counts.allowed;
  }

  allowedWithin(start: usize, length: i32, seconds: i64): i64 {
    const counts = this.history.countsOf(new Text(start, length));
    if (counts == null) return 0;
    // `now - seconds` without overflow.
    const since = seconds > 0 ? (this.now < i64.MIN_VALUE + seconds ? i64.MIN_VALUE : this.now - seconds) :
      this.now > i64.MAX_VALUE + seconds ? i64.MAX_VALUE : this.now - seconds;
    return <i64>counts.allowedSince(since);
  }
}

/** The variables of chapter 2 for a call. */
export function environmentOf(call: Call): Environment {
  const environment = new Environment(call.toolName, new VerifiedCounts(call.history, call.at));
  const agent = call.agentName;
  if (agent != null) environment.agent = agent;
  environment.args = call.arguments;
  environment.facts = call.context;
  environment.principal = call.principal;
  environment.resource = call.resource;
  environment.origins = call.origins;
  environment.labels = call.marks;
  environment.now = call.at;
  environment.turn = lastTurn(call);
  return environment;
}

/** Whether the step answered. Rules that ask are left in `call.asked`. */
export function gateRefuses(call: Call, tool: Tool): bool {
  const flows = call.policy.flows;
  if (flows.length == 0) return false;
  const environment = environmentOf(call);
  for (let i = 0; i < flows.length; i++) {
    const flow = unchecked(flows[i]);
    const on = flow.on;
    if (on != null && !unchecked(on[tool.index])) continue;
    for (let j = 0; j < flow.rules.length; j++) {
      const rule = flow.rules[j];
      beginSteps(call.policy.settings.steps);
      const value = evaluate(rule.condition, environment);
      if (rule.kind == ASK_IF) {
        if (value != 0) call.asked.push(rule);
      } else if (value < 0 || (value == 1) != (rule.kind == ALLOW_IF)) {
        return refuseByRule(call, flow, rule, value < 0);
      }
    }
  }
  return false;
}

function refuseByRule(call: Call, flow: Flow, rule: Rule, failed: bool): bool {
  const detail = new Buffer(96);
  detail.byte(0x7b);
  const because = rule.because;
  if (because != null) {
    detail.ascii('"because":');
    writeString(because.start, because.length, detail);
    detail.byte(0x2c);
  }
  if (failed) detail.ascii('"error":true,');
  detail.ascii('"flow":');
  writeString(flow.name.start, flow.name.length, detail);
  detail.ascii(',"rule":');
  writeString(rule.id.start, rule.id.length, detail);
  detail.byte(0x7d);
  return call.refuseFor(rule.id, detail);
}
