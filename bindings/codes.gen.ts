// The numbers that both sides of the boundary agree on. Made from assembly/abi.ts by `node bindings/build/codes.mjs`.

/** The version of the boundary; a host refuses a module that says another. */
export const ABI_VERSION = 3;
/** What an entry point returns: the result's text is what was asked for, or an error's document. */
export const STATUS_OK = 0;
export const STATUS_ERROR = 1;
/** A line of the conformance driver, and a registered policy, may nest this deep; what is inside is read again by its own limits. */
export const OUTER_DEPTH = 65536;
/** The longest text the boundary takes, in bytes. */
export const OUTER_BYTES = 1073741824;
/** How deep a policy, its documents or a key set may nest: chapter 1's default. Schemas are compiled by recursion. */
export const POLICY_DEPTH = 128;
/** The longest of them, in bytes: chapter 1's default. */
export const POLICY_BYTES = 8388608;
