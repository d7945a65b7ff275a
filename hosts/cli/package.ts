// The package as the command line sees it: one place to name what it uses of it.
export { Client, type LineDriver, lineDriver, policyJudge, type Question, rawJson, type Session, type ToolCheck } from 'interlock';
export {
  type Change, compileSources, connect, describeChange, describeChanges, formatProblem, isObject, type JsonObject, type JsonValue, listTools, PlaceBook, policySchemaText, type Problem,
  readListing, readSource, register, type Registered, type RegisteringCore, type SourceFile, starterPolicy, starterScript, visible,
} from 'interlock/register';
