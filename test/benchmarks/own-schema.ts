// Whether a call fits its tool's schema, by ajv: the judge from outside.

import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Call, Tool } from "./calls";

// `formats.default` where the module is seen as CommonJS.
const addFormats = (formats as unknown as { default?: typeof formats }).default ?? formats;

const OPTIONS = { strict: false, allErrors: true, logger: false } as const;
const judges = { latest: addFormats(new Ajv2020(OPTIONS) as unknown as Ajv), draft7: addFormats(new Ajv(OPTIONS)) };
const compiled = new Map<unknown, ValidateFunction>();

/** Why ajv refuses a call, in its own words, sorted; empty where the call fits. The dialect is the one that the schema's `$schema` names, else 2020-12. */
export function misfit(tool: Tool, call: Call): string[] {
  let validate = compiled.get(tool.inputSchema);
  if (validate === undefined) {
    const declared = String((tool.inputSchema as { $schema?: unknown }).$schema ?? "");
    validate = (declared.includes("draft-07") ? judges.draft7 : judges.latest).compile(tool.inputSchema as object);
    compiled.set(tool.inputSchema, validate);
  }
  if (validate(call.arguments)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`).sort();
}
