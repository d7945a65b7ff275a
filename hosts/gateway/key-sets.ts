// The tenants' key sets (chapter 1) as the gateway holds them: read at its start, read again when they change, never half.
import { readFile } from "node:fs/promises";
import type { SigningKey } from "./audit/chain.ts";
import { signingKey } from "./audit/chain.ts";
import type { Settings } from "./config/settings.ts";

/** A key set as its file has it. */
export interface KeySet {
  readonly text: string;
  readonly kids: readonly string[];
  readonly active: SigningKey;
}

/** A key set that cannot be used; the message says which file and what to do. */
export class KeysError extends Error {
  readonly code = "keys_invalid";
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "KeysError";
  }
}

/** Reads the key set of every tenant. Throws KeysError. */
export async function readKeySets(settings: Pick<Settings, "tenants">): Promise<ReadonlyMap<string, KeySet>> {
  const sets = new Map<string, KeySet>();
  for (const { name, keys } of Object.values(settings.tenants)) sets.set(name, await readKeySet(keys));
  return sets;
}

async function readKeySet(file: string): Promise<KeySet> {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new KeysError(`the key set ${file} cannot be read (${cause.code}): \`interlock keygen\` makes one`, { cause });
  });
  let set: { active?: string; keys?: (SigningKey & { readonly use?: string })[] };
  try {
    set = JSON.parse(text) as typeof set;
  } catch (cause) {
    throw new KeysError(`the key set ${file} is not JSON`, { cause });
  }
  if (!Array.isArray(set?.keys)) throw new KeysError(`${file} is no key set: it has no list of keys`);
  if (!set.keys.some(({ use }) => use === "approve")) throw new KeysError(`the key set ${file} has no key that signs approvals: \`interlock keygen --use approve --add ${file}\` adds one`);
  try {
    return { text, kids: set.keys.map(({ kid }) => kid), active: signingKey(set) };
  } catch (cause) {
    throw new KeysError(`the key set ${file} cannot sign: name one of its keys as active`, { cause });
  }
}
