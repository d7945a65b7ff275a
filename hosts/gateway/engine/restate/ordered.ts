// The keys of a tenant's records in order, as a tree of pages in the object's cells: Restate's state is found by name alone, and lists are by prefix.
import type { Cells } from "./cells.ts";

/** A page holds keys, or the pages below it with the first key that each may hold. */
type Page = { readonly keys: readonly string[] } | { readonly firsts: readonly string[]; readonly pages: readonly number[] };

/** A page that has more is cut in two. */
const MOST = 64;
const ROOT = 0;
const NEXT = "i/next";

interface Step {
  readonly id: number;
  readonly page: Page;
  /** Which of its pages the way goes through; of the last page: where the key is, or would be. */
  readonly at: number;
}

export class Ordered {
  readonly #cells: Cells;

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  async add(key: string): Promise<void> {
    const way = await this.#way(key);
    const { id, page, at } = way.pop()!;
    const keys = (page as { keys: readonly string[] }).keys;
    if (keys[at] === key) return;
    await this.#put(id, { keys: [...keys.slice(0, at), key, ...keys.slice(at)] }, way);
  }

  async remove(key: string): Promise<void> {
    const way = await this.#way(key);
    const { id, page, at } = way.pop()!;
    const keys = (page as { keys: readonly string[] }).keys;
    if (keys[at] !== key) return;
    await this.#put(id, { keys: keys.filter((_, index) => index !== at) }, way);
  }

  /** Keys from `from` (in it) to `to` (not in it), in order or, from the end, against it. */
  async *between(from: string, to: string, descending: boolean, id = ROOT): AsyncGenerator<string> {
    const page = await this.#page(id);
    if ("keys" in page) {
      const inside = page.keys.filter((key) => key >= from && key < to);
      yield* descending ? inside.reverse() : inside;
      return;
    }
    const below = page.pages.map((child, index) => ({ child, first: page.firsts[index]!, next: page.firsts[index + 1] }));
    const inside = below.filter(({ first, next }, index) => (index === 0 || first < to) && (next === undefined || next > from));
    for (const { child } of descending ? inside.reverse() : inside) yield* this.between(from, to, descending, child);
  }

  async #page(id: number): Promise<Page> {
    return (await this.#cells.get<Page>(`i/${id}`)) ?? { keys: [] };
  }

  async #way(key: string): Promise<Step[]> {
    const way: Step[] = [];
    for (let id = ROOT; ; ) {
      const page = await this.#page(id);
      if ("keys" in page) {
        way.push({ id, page, at: placeOf(page.keys, key) });
        return way;
      }
      const found = placeOf(page.firsts, key);
      const at = page.firsts[found] === key ? found : Math.max(0, found - 1);
      way.push({ id, page, at });
      id = page.pages[at]!;
    }
  }

  /** Puts a page in its place; one that grew too large becomes two, and one that is empty goes. */
  async #put(id: number, page: Page, above: Step[]): Promise<void> {
    const size = "keys" in page ? page.keys.length : page.pages.length;
    if (id === ROOT) {
      if (size === 0) this.#cells.set(`i/${ROOT}`, { keys: [] });
      else if (size <= MOST) this.#cells.set(`i/${ROOT}`, page);
      else {
        const [lower, upper] = halvesOf(page);
        this.#cells.set(`i/${ROOT}`, { firsts: [firstOf(lower), firstOf(upper)], pages: [await this.#made(lower), await this.#made(upper)] });
      }
      return;
    }
    if (size > 0 && size <= MOST) {
      this.#cells.set(`i/${id}`, page);
      return;
    }
    const { id: parent, page: of, at } = above.pop()!;
    const { firsts, pages } = of as { firsts: readonly string[]; pages: readonly number[] };
    const put = (in_: readonly { first: string; child: number }[]): Page => ({
      firsts: [...firsts.slice(0, at), ...in_.map(({ first }) => first), ...firsts.slice(at + 1)],
      pages: [...pages.slice(0, at), ...in_.map(({ child }) => child), ...pages.slice(at + 1)],
    });
    if (size === 0) {
      this.#cells.set(`i/${id}`, null);
      return this.#put(parent, put([]), above);
    }
    const [lower, upper] = halvesOf(page);
    this.#cells.set(`i/${id}`, lower);
    const child = await this.#made(upper);
    // The first page may hold keys before the first that it is listed with.
    const first = firstOf(lower) < firsts[at]! ? firstOf(lower) : firsts[at]!;
    return this.#put(parent, put([{ first, child: id }, { first: firstOf(upper), child }]), above);
  }

  async #made(page: Page): Promise<number> {
    const id = (await this.#cells.get<number>(NEXT)) ?? ROOT + 1;
    this.#cells.set(NEXT, id + 1);
    this.#cells.set(`i/${id}`, page);
    return id;
  }
}

/** Where the first text that is not before `key` is. */
function placeOf(texts: readonly string[], key: string): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (texts[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function halvesOf(page: Page): [Page, Page] {
  if ("keys" in page) {
    const half = page.keys.length >> 1;
    return [{ keys: page.keys.slice(0, half) }, { keys: page.keys.slice(half) }];
  }
  const half = page.pages.length >> 1;
  return [
    { firsts: page.firsts.slice(0, half), pages: page.pages.slice(0, half) },
    { firsts: page.firsts.slice(half), pages: page.pages.slice(half) },
  ];
}

function firstOf(page: Page): string {
  return "keys" in page ? page.keys[0]! : page.firsts[0]!;
}
