// Reads an MCP server's list of tools: page by page, each tool by its own text, within bounds that no server can stretch.
import { rawMembers } from "interlock";
import { canonical, listingOf, NotCanonical } from "./canonical.ts";
import { elementsOf } from "./elements.ts";
import type { Wire } from "./wire.ts";

/** A tool by its server's own name. */
export interface ServerTool {
  readonly name: string;
  readonly listing: string;
  readonly digest: string;
  /** The input schema, for the headers that repeat arguments. */
  readonly schema: unknown;
}

/** Bytes of one page of a listing, pages, and tools of a server. */
const PAGE_BYTES = 8 * 1024 * 1024;
const PAGES = 64;
const TOOLS = 5000;
/** Bytes of one tool's listing. */
const LISTING_BYTES = 256 * 1024;

/** Every tool of a server by its name, and what was left out, each with why. Fails as the wire does, and where the server does not list. */
export async function listTools(wire: Wire, signal: AbortSignal): Promise<{ tools: Map<string, ServerTool>; leftOut: string[] }> {
  const tools = new Map<string, ServerTool>();
  const leftOut: string[] = [];
  let cursor: string | null = null;
  const seen = new Set<string>();
  for (let page = 0; page < PAGES; page++) {
    const answered = await wire.ask({
      method: "tools/list", name: null, params: cursor === null ? "" : `"cursor":${JSON.stringify(cursor)}`, meta: "", headers: {}, limit: PAGE_BYTES, signal, progress: null,
    });
    if ("error" in answered) {
      if (answered.error.code === -32601) break;
      throw new Error(`it did not list its tools: ${answered.error.message}`);
    }
    cursor = readPage(answered.result, tools, leftOut);
    if (cursor === null) break;
    if (seen.has(cursor) || tools.size > TOOLS || page === PAGES - 1) {
      leftOut.push("every tool behind the first pages: its listing does not end");
      break;
    }
    seen.add(cursor);
  }
  return { tools, leftOut };
}

/** Takes a page's tools; gives the next cursor. A tool that is not well formed is left out, and a name that comes twice is left out whole. */
function readPage(result: string, tools: Map<string, ServerTool>, leftOut: string[]): string | null {
  const members = rawMembers(result) ?? [];
  const list = members.filter(({ name }) => name === "tools");
  const texts = list.length === 1 ? elementsOf(list[0]!.value.text) : null;
  if (texts === null) throw new Error("its listing has no list of tools");
  for (const text of texts) {
    try {
      if (text.length > LISTING_BYTES) throw new NotCanonical("its listing is too long");
      const { listing, digest } = listingOf(text);
      const { name, inputSchema } = JSON.parse(listing) as { name?: unknown; inputSchema?: unknown };
      if (typeof name !== "string") throw new NotCanonical("it has no name");
      if (tools.has(name)) {
        tools.delete(name);
        leftOut.push(`${name.slice(0, 64)}: listed twice`);
      } else if (!leftOut.includes(`${name.slice(0, 64)}: listed twice`)) tools.set(name, { name, listing, digest, schema: inputSchema });
    } catch (error) {
      leftOut.push(error instanceof NotCanonical ? `a tool: ${error.message}` : "a tool that cannot be read");
    }
  }
  const next = members.find(({ name }) => name === "nextCursor");
  if (next === undefined) return null;
  const cursor: unknown = JSON.parse(canonical(next.value.text));
  return typeof cursor === "string" ? cursor : null;
}
