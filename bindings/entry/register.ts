// The entry of registration, `interlock/register`: policies from their sources, on Node.
export { type Change, describeChange, describeChanges } from "../register/describe.ts";
export { type CompileOptions, compileSources, register, type SourceFile } from "../register/index.ts";
export { readListing } from "../register/listing.ts";
export { connect, listTools } from "../register/mcp.ts";
export { policySchema, policySchemaText } from "../register/policy.schema.ts";
export { nearest } from "../register/nearest.ts";
export { isObject, type JsonObject, type JsonValue, type Place, PlaceBook } from "../register/position.ts";
export { formatProblem, type Problem, problemAt, problemOf, sortProblems, visible } from "../register/problems.ts";
export type { Registered, RegisteringCore } from "../register/register.ts";
export { readSource } from "../register/sources.ts";
export { starterPolicy, starterScript } from "../register/starter.ts";
