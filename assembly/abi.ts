// Names and limits that hosts share with the core: the source of bindings/codes.gen.ts.

/** The version of the boundary; a host refuses a module that says another. */
export const ABI_VERSION: i32 = 3;

/** What an entry point returns: the result's text is what was asked for, or an error's document. */
export const STATUS_OK: i32 = 0;
export const STATUS_ERROR: i32 = 1;

/** A line of the conformance driver, and a registered policy, may nest this deep; what is inside is read again by its own limits. */
export const OUTER_DEPTH: i32 = 65536;
/** The longest text the boundary takes, in bytes. */
export const OUTER_BYTES: i64 = 1073741824;
/** How deep a policy, its documents or a key set may nest: chapter 1's default. Schemas are compiled by recursion. */
export const POLICY_DEPTH: i32 = 128;
/** The longest of them, in bytes: chapter 1's default. */
export const POLICY_BYTES: i64 = 8388608;
