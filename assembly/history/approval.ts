// Signed approvals (chapter 3): who said yes or no to one confirmation.

import { STRING, count, get, isInteger, isKind, isString, numberValue, stringText } from "../json/value";
import { NO_TEXT, Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { digestText, labelled } from "../digest/labelled";
import { KeySet, USE_APPROVE } from "./keys";
import { openJws } from "./jws";

export const APPROVAL_TYPE: string = "qls-approval+jws";

@final
export class Approval {
  approves: bool = false;
  approver: Text = NO_TEXT;
  at: i64 = 0;
  expires: i64 = 0;
  question: Text = NO_TEXT;
}

/** Opens an approval; null where no approving key of the set signed it, or it is none. */
export function openApproval(keys: KeySet, text: Text): Approval | null {
  const payload = openJws(keys, USE_APPROVE, APPROVAL_TYPE, text);
  if (payload == 0 || count(payload) != 6) return null;
  const answer = get(payload, "answer");
  const approver = get(payload, "approver");
  const at = get(payload, "at");
  const expires = get(payload, "exp");
  const question = get(payload, "question");
  const typed = isKind(approver, STRING) && isInteger(at) && isInteger(expires) && isKind(question, STRING) && isKind(get(payload, "shown"), STRING);
  const yes = isString(answer, "approve");
  if (!typed || (!yes && !isString(answer, "deny"))) return null;
  const made = new Approval();
  made.approves = yes;
  made.approver = stringText(approver);
  made.at = <i64>numberValue(at);
  made.expires = <i64>numberValue(expires);
  made.question = stringText(question);
  return made;
}

/** What approvals call a confirmation. */
export function questionDigest(confirmation: Text): Text {
  const message = labelled("qls-question/1", confirmation.length);
  message.text(confirmation);
  return digestText(message);
}

/** Whether a list holds a text. */
export function holdsText(list: Array<Text>, text: Text): bool {
  for (let i = 0; i < list.length; i++) if (equalBytes(list[i].start, list[i].length, text.start, text.length)) return true;
  return false;
}
