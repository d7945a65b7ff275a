// What `interlock hook` loads of the gateway, built into one small file of its own: a hook starts anew for each call.
export { claudeCode, failed, type HookAnswer, type HookDone, printed } from "./claude-code.ts";
export { type LocalOptions, openLocal } from "./local.ts";
export { isAfter } from "./input.ts";
