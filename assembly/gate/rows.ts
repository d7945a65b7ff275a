// Finds a pure row by its number and asks it (chapter 7).

import { ARRAY, OBJECT, STRING, Value, first, get, isKind, isString, next, stringText } from "../json/value";
import { theApprovalsBinding } from "./18-the-approvals-binding";
import { approvedArguments } from "./22-approved-arguments";
import { theBinding } from "./34-the-binding";
import { approvedSnapshot } from "./37-approved-snapshot";
import { runtimesOwnRequests } from "./H1-runtimes-own-requests";
import { mcpResources } from "./H1a-mcp-resources";
import { defaultDeny } from "./H2-default-deny";
import { theMcpName } from "./H2a-the-mcp-name";
import { RowAnswer } from "./answer";

/** Asks the row that `facts` names; `wrong` of the answer says what of them cannot be judged. */
export function askRow(facts: Value): RowAnswer {
  const answer = new RowAnswer();
  const row = get(facts, "row");
  if (isString(row, "18")) theApprovalsBinding(facts, answer);
  else if (isString(row, "22")) approvedArguments(facts, answer);
  else if (isString(row, "34")) theBinding(facts, answer);
  else if (isString(row, "37")) approvedSnapshot(facts, answer);
  else if (isString(row, "H1") || isString(row, "H1a")) {
    const name = get(facts, "name");
    if (!isKind(name, STRING)) answer.wrong = "/name";
    else if (isString(row, "H1")) runtimesOwnRequests(stringText(name), answer);
    else mcpResources(stringText(name), answer);
  } else if (isString(row, "H2") || isString(row, "H2a")) {
    const name = get(facts, "name");
    const offered = get(facts, "offered");
    if (!isKind(name, STRING)) answer.wrong = "/name";
    else if (!areFunctions(offered)) answer.wrong = "/offered";
    else if (isString(row, "H2")) defaultDeny(name, offered, answer);
    else theMcpName(name, offered, answer);
  } else answer.wrong = "/row";
  return answer;
}

/** Whether it is a list of `{"tool","server","function"}`, the last two of a function of an MCP server alone. */
function areFunctions(offered: Value): bool {
  if (!isKind(offered, ARRAY)) return false;
  const end = next(offered);
  for (let item = first(offered); item < end; item = next(item)) {
    if (!isKind(item, OBJECT) || !isKind(get(item, "tool"), STRING)) return false;
    const server = get(item, "server");
    const called = get(item, "function");
    if (server == 0 && called == 0) continue;
    if (!isKind(server, STRING) || !isKind(called, STRING)) return false;
  }
  return true;
}
