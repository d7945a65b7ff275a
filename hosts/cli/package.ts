// The package as the command line sees it: one place to name what it uses of it.
export {
  Agent, type AllowedCall, type Approval, type Asked, Client, type Executed, InterlockError, type LineDriver, lineDriver, type Plan, type PlanStep, policyJudge, type Question, rawJson,
  type Reply, type Session, type StepReply, type ToolCheck, type TurnExplanation,
} from 'interlock';
export {
  type Change, compileSources, connect, describeChange, describeChanges, formatProblem, isObject, type JsonObject, type JsonValue, listTools, PlaceBook, policySchemaText, type Problem,
  readListing, readSource, register, type Registered, type RegisteringCore, type SourceFile, starterPolicy, starterScript, visible,
} from 'interlock/register';
