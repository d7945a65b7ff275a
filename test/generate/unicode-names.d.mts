// Types of unicode-names.mjs, for the tests that import it.

export const CATEGORIES: string[][];
export const CATEGORY_GROUPS: Record<string, string[]>;
export const SCRIPTS: string[][];
export const BINARY: string[][];
