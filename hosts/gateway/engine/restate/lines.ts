// A tenant's audit chain in the object's cells: so many lines a cell, found by their numbers.
import type { AuditBody } from "../../audit/entry.ts";
import type { Sealer } from "../port.ts";
import type { Cells } from "./cells.ts";

/** Lines in a cell. An append writes the last cell anew. */
const LINES = 16;
const END = "a/end";

const cellOf = (number: number): string => `a/${number}`;

export class Lines {
  readonly #cells: Cells;

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  /** How many lines there are. */
  async count(): Promise<number> {
    return (await this.#cells.get<number>(END)) ?? 0;
  }

  async last(): Promise<string | null> {
    const count = await this.count();
    return count === 0 ? null : (await this.#page(Math.floor((count - 1) / LINES))).at(-1)!;
  }

  async append(lines: readonly string[]): Promise<void> {
    let count = await this.count();
    for (let at = 0; at < lines.length; ) {
      const number = Math.floor(count / LINES);
      const before = count % LINES === 0 ? [] : await this.#page(number);
      const page = [...before, ...lines.slice(at, at + LINES - before.length)];
      this.#cells.set(cellOf(number), page);
      at += page.length - before.length;
      count += page.length - before.length;
    }
    this.#cells.set(END, count);
  }

  /** Lines from a number on, at most `limit`, and no more once they hold `size` characters. */
  async read(from: number, limit: number, size: number): Promise<readonly string[]> {
    const to = Math.min(from + limit, await this.count());
    const found: string[] = [];
    let left = size;
    for (let number = from; number < to && left > 0; ) {
      const page = await this.#page(Math.floor(number / LINES));
      for (const line of page.slice(number % LINES, (number % LINES) + to - number)) {
        if (left <= 0) break;
        left -= line.length;
        found.push(line);
        number++;
      }
    }
    return found;
  }

  async #page(number: number): Promise<readonly string[]> {
    return (await this.#cells.get<readonly string[]>(cellOf(number))) ?? [];
  }
}

/** The lines of several commits, each behind the one before. */
export function sealed(seal: Sealer, tenant: string, last: string | null, commits: readonly (readonly AuditBody[])[]): readonly (readonly string[])[] {
  let previous = last;
  return commits.map((bodies) => {
    const lines = seal(tenant, previous, bodies);
    previous = lines.at(-1) ?? previous;
    return lines;
  });
}
