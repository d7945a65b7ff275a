// The entry of registration where there is no Node, `interlock/register` in browsers and Workers: policies from sources held in memory.
export { type Change, describeChange, describeChanges } from "../register/describe.ts";
export { readListing } from "../register/listing.ts";
export { compileMemory as compileSources, register, type SourceFile } from "../register/memory.ts";
export { policySchema, policySchemaText } from "../register/policy.schema.ts";
export { nearest } from "../register/nearest.ts";
export { isObject, type JsonObject, type JsonValue, type Place, PlaceBook } from "../register/position.ts";
export { formatProblem, type Problem, problemAt, problemOf, sortProblems, visible } from "../register/problems.ts";
export type { Registered, RegisteringCore } from "../register/register.ts";
export { readSource } from "../register/sources.ts";
export { starterPolicy, starterScript } from "../register/starter.ts";
