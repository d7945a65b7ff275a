// The package as the command line sees it: one place to name what it uses of it.
export { compileSources, register, type SourceFile } from '../../bindings/register/index.ts';
export { type Change, describeChange, describeChanges } from '../../bindings/register/describe.ts';
export { connect, listTools } from '../../bindings/register/mcp.ts';
export { readListing } from '../../bindings/register/listing.ts';
export { policySchemaText } from '../../bindings/register/policy.schema.ts';
export { isObject, type JsonObject, type JsonValue, PlaceBook } from '../../bindings/register/position.ts';
export { formatProblem, type Problem, visible } from '../../bindings/register/problems.ts';
export type { Registered, RegisteringCore } from '../../bindings/register/register.ts';
export { readSource } from '../../bindings/register/sources.ts';
export { starterPolicy, starterScript } from '../../bindings/register/starter.ts';
