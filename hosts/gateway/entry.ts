// What the command line loads of the gateway when a command first needs it, built into one file of its own.
export { linesOfBytes } from "./audit/lines.ts";
export { verifyAudit } from "./audit/verify.ts";
export { readSettings, type ReadSettings } from "./config/read.ts";
export { gatewaySchemaText } from "./config/schema.ts";
export type { Settings, TenantSettings } from "./config/settings.ts";
export { checkTenants } from "./operations/checking.ts";
export { backUp, bringUp, restore, type StoreFacts } from "./operations/store.ts";
export { readRecording, replay, type Replayed } from "./recording/replay.ts";
export { type Served, serve } from "./served.ts";
export { serveWrapped } from "./wrapped.ts";
