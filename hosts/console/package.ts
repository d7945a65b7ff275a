// The package as the console sees it: one place to name what it uses of it.
export { type LineDriver, lineDriver, type Question } from 'interlock';
export { compileSources, isObject, type JsonObject, type JsonValue, PlaceBook, policySchema, type Problem, readSource, register, type Registered, type RegisteringCore, starterPolicy, visible } from 'interlock/register';
