// The names of an approval's records in the engine: the question, what a retry finds it by, what is open, what a session asked, and the calls that edits make.
import { part } from "../call/keys.ts";

export const approvalKey = (id: string): string => `approval/${id}`;

/** By this a retry finds the question. `agent` is never null here: an absent one means the policy's only agent. */
export function questionKey({ session, agent, tool, digest }: { session: string; agent: string | null; tool: string; digest: string }): string {
  return `question/${part(session)}/${part(agent)}/${part(tool)}/${digest}`;
}

export const questionPrefix = (session: string): string => `question/${part(session)}/`;
export const waitingPrefix = "waiting/";
export const waitingKey = (id: string): string => `${waitingPrefix}${id}`;
export const askedPrefix = (session: string): string => `asked-of/${part(session)}/`;
export const askedKey = (session: string, id: string): string => `${askedPrefix(session)}${id}`;
/** Under the id of the call that an edit makes: what is still to be done about it. */
export const editPrefix = "edit/";
export const editKey = (call: string): string => `${editPrefix}${call}`;
