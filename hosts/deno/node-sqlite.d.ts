// The types of Node's SQLite module as far as the store uses it: the types of the base version, Node 20, have no such module.

declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(path: string);
    exec(sql: string): void;
    prepare(sql: string): { get(...bound: string[]): unknown; run(...bound: string[]): { changes: number | bigint } };
    close(): void;
  }
}
