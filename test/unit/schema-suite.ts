// Reads the official JSON Schema test suite, with the texts of schemas and values kept as they stand.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { shared } from "../vectors/shared";

/** One value of a group with the answer that is expected. */
export interface SuiteCase {
  /** `file / group / case`: names the case on the list of those that do not pass. */
  name: string;
  value: string;
  valid: boolean;
}

/** One schema and its values. */
export interface SuiteGroup {
  name: string;
  schema: string;
  cases: SuiteCase[];
}

/** The source texts of the members and elements of a JSON text, so that numbers keep their digits. */
function parts(text: string): { members: Map<string, string>; elements: string[] } {
  const members = new Map<string, string>();
  const elements: string[] = [];
  const isObject = text[0] === "{";
  let depth = 0;
  let start = 1;
  let name = "";
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '"') {
      for (i++; text[i] !== '"'; i++) if (text[i] === "\\") i++;
    } else if (c === "{" || c === "[") {
      depth++;
    } else if (c === ":" && depth === 1 && isObject) {
      name = JSON.parse(text.slice(start, i)) as string;
      start = i + 1;
    } else if (c === "," || c === "}" || c === "]") {
      if (depth === 1) {
        const part = text.slice(start, i).trim();
        start = i + 1;
        if (part !== "") {
          if (isObject) members.set(name, part);
          else elements.push(part);
        }
      }
      if (c !== ",") depth--;
    }
  }
  return { members, elements };
}

/** The suite's draft-07 schemas leave `$schema` out, and mean their own draft; the core's default is draft 2020-12. */
function inDraft(draft07: boolean, schema: string): string {
  if (!draft07 || schema[0] !== "{" || parts(schema).members.has("$schema")) return schema;
  return `{"$schema":"http://json-schema.org/draft-07/schema#"${schema === "{}" ? "" : ","}${schema.slice(1)}`;
}

/** The groups of a file of the suite, e.g. `draft7/optional/bignum.json`. */
export function suiteGroups(file: string): SuiteGroup[] {
  const text = readFileSync(shared(`vectors/json-schema-test-suite/tests/${file}`), "utf8").trim();
  return parts(text).elements.map((group) => {
    const { members } = parts(group);
    const name = `${file.replace(/\.json$/, "")} / ${JSON.parse(members.get("description")!) as string}`;
    const cases = parts(members.get("tests")!).elements.map((item) => {
      const fields = parts(item).members;
      return {
        name: `${name} / ${JSON.parse(fields.get("description")!) as string}`,
        value: fields.get("data")!,
        valid: fields.get("valid") === "true",
      };
    });
    return { name, schema: inDraft(file.startsWith("draft7/"), members.get("schema")!), cases };
  });
}

/** The files of a folder of the suite, e.g. `draft7/optional`. */
export function suiteFiles(folder: string): string[] {
  return readdirSync(shared(`vectors/json-schema-test-suite/tests/${folder}`))
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => `${folder}/${name}`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.name.endsWith(".json") ? [path] : [];
  });
}

/** The documents that the suite's schemas refer to, by URI: its remotes, and the metaschemas of both drafts. */
export function suiteDocuments(): Record<string, string> {
  const documents: Record<string, string> = {};
  const remotes = shared("vectors/json-schema-test-suite/remotes");
  for (const path of filesBelow(remotes)) {
    const name = path.slice(remotes.length);
    documents[`http://localhost:1234${name}`] = inDraft(name.startsWith("/draft7/"), readFileSync(path, "utf8").trim());
  }
  const refs = join(dirname(createRequire(import.meta.url).resolve("ajv/package.json")), "dist/refs");
  for (const path of [join(refs, "json-schema-draft-07.json"), ...filesBelow(join(refs, "json-schema-2020-12"))]) {
    const text = readFileSync(path, "utf8");
    documents[(JSON.parse(text) as { $id: string }).$id] = text;
  }
  return documents;
}
