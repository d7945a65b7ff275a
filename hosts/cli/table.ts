// Tables for people, by a library that is loaded when the first one is printed: the other commands start without it.
import type Table from 'cli-table3';

/** A table without borders or colours of its own but the lines; rows are pushed into it. */
export async function newTable(options: Table.TableConstructorOptions): Promise<Table.Table> {
  const { default: Library } = await import('cli-table3');
  return new Library({ style: { head: [], border: [] }, ...options });
}
