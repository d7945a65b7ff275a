// The names of tools towards agents: which server's tool a name means, decided so that no server can take another's name.

/** A server's tools as it listed them; null until it did for the first time. */
export interface Named {
  readonly server: string;
  readonly prefix: string | null;
  readonly names: readonly string[] | null;
}

/** Where a name leads, and which tools no name leads to, each with why. */
export interface Names {
  readonly byName: ReadonlyMap<string, { readonly server: string; readonly name: string }>;
  readonly leftOut: readonly { readonly server: string; readonly name: string; readonly why: string }[];
}

/** MCP's characters of a tool's name (2025-11-25, Tools) without the slash, and a policy's longest name. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** Names that no policy may have (chapter 2): JavaScript hosts read them as something else. */
const NEVER = new Set(["__proto__", "constructor", "prototype"]);

/** How two names are compared: letter case does not tell them apart, nor what a harness writes as `_` (row H2a). */
export function spelling(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9-]/g, "_");
}

/**
 * Names every tool. A server with a prefix names its tools `prefix.name`. Without one a tool keeps its name, unless an HTTP tool or a server that stands before
 * it in the settings has it: then it is `server.name`. Two tools of one server that are spelt alike are both left out, and so is one whose name is still taken.
 * Servers keep the names they listed while they are down, and a server without a prefix waits until those before it were heard once: which of them is up never decides what a name means.
 */
export function nameTools(servers: readonly Named[], taken: Iterable<string>): Names {
  const byName = new Map<string, { server: string; name: string }>();
  const leftOut: { server: string; name: string; why: string }[] = [];
  const spelt = new Set([...taken].map(spelling));
  // Prefixed names first: settings say them, so a bare name never takes one.
  const ordered = [...servers.filter(({ prefix }) => prefix !== null), ...servers.filter(({ prefix }) => prefix === null)];
  let unheard: string | null = null;
  for (const { server, prefix, names } of ordered) {
    if (names === null) {
      if (prefix === null) unheard ??= server;
      continue;
    }
    const own = new Map<string, number>();
    for (const name of names) own.set(spelling(name), (own.get(spelling(name)) ?? 0) + 1);
    for (const name of names) {
      const why = badName(name, own);
      const leave = (reason: string) => leftOut.push({ server, name, why: reason });
      if (why !== null) leave(why);
      else if (prefix === null && unheard !== null) leave(`the server ${unheard} stands before it and was not heard yet`);
      else {
        const bare = prefix === null ? name : `${prefix}.${name}`;
        const full = prefix === null && spelt.has(spelling(bare)) ? `${server}.${name}` : bare;
        if (!NAME.test(full)) leave("its name with the prefix is no tool's name");
        else if (spelt.has(spelling(full))) leave(`its name ${full} is another tool's`);
        else {
          spelt.add(spelling(full));
          byName.set(full, { server, name });
        }
      }
    }
  }
  return { byName, leftOut };
}

function badName(name: string, own: ReadonlyMap<string, number>): string | null {
  if (!NAME.test(name)) return "its name has other characters than A-Z a-z 0-9 _ . -, or more than 128";
  if (NEVER.has(name)) return "no policy may name it so";
  return (own.get(spelling(name)) ?? 0) > 1 ? "another tool of its server is spelt alike" : null;
}
