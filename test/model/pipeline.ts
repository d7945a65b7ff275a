// The pipeline's pure rows (chapter 7) as the chapter has them, with JavaScript's own expressions and tables: what the core's answers are compared with.

export interface Function {
  readonly tool: string;
  readonly server?: string;
  readonly function?: string;
}

export type Answer = { answer: "passed"; tool?: string } | { answer: "refuse" | "ask_again"; reason: string };
type Text = string | null;
type Bound = { readonly digest: Text; readonly listing: Text; readonly policy: Text };

const PASSED: Answer = { answer: "passed" };
const refuse = (reason: string): Answer => ({ answer: "refuse", reason });
const spelling = (name: string): string => [...name].map((character) => (/[A-Za-z0-9_-]/.test(character) ? character : "_")).join("");

/** Row H1, of names in ASCII. */
export const h1 = (name: string): Answer => (/^(mcp___*)?interlock([^a-z]|$)/i.test(name) ? refuse("runtime_tool") : PASSED);

/** Row H1a, of names in ASCII. */
export function h1a(name: string): Answer {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const tool = /^(list|read|get|fetch|subscribe|unsubscribe)(to)?mcp(server)?resources?(templates?)?(tool)?$/.test(letters);
  const method = /^mcp__.+__resources_(list|read|templates_list|subscribe|unsubscribe)$/i.test(name);
  return tool || method ? refuse("mcp_resources") : PASSED;
}

export function h2(name: string, offered: readonly Function[]): Answer {
  if (name.startsWith("mcp__")) return PASSED;
  return offered.some((each) => each.server === undefined && each.tool === name) ? { answer: "passed", tool: name } : refuse("unknown_tool");
}

export function h2a(name: string, offered: readonly Function[]): Answer {
  if (!name.startsWith("mcp__")) return PASSED;
  const found = offered.filter((each) => each.server !== undefined && `mcp__${spelling(each.server)}__${spelling(each.function!)}` === name);
  return found.length === 1 ? { answer: "passed", tool: found[0]!.tool } : refuse(found.length === 0 ? "unknown_tool" : "ambiguous_name");
}

export const row18 = (approved: Bound, now: Bound): Answer =>
  approved.digest === now.digest && approved.listing === now.listing && approved.policy === now.policy ? PASSED : { answer: "ask_again", reason: "approval_outdated" };

export const row22 = (digest: Text, decided: Text, approved: Text): Answer => (digest !== null && digest === decided && (approved === null || approved === digest) ? PASSED : refuse("digest_mismatch"));

export const row34 = (decided: Text, policy: Text): Answer => (decided !== null && decided === policy ? PASSED : refuse("binding_changed"));

export function row37(approved: Text, listed: Text, decided: Text): Answer {
  if (approved === null || approved !== listed) return refuse("listing_not_approved");
  return decided === null || decided === approved ? PASSED : refuse("listing_changed");
}
