// What the scanner finds in a text, for its tests: the built room of destinations, called with texts.

import { Unit } from "./instance";

export const unit = new Unit("destinations");

/** The findings of a text, each as `kind text`; `argument` is the name of the top-level argument that the text is, if it is one. */
export function find(text: string, argument?: string): string[] {
  const bytes = Buffer.from(text);
  const name = Buffer.from(argument ?? "");
  const [start, nameStart] = unit.place(bytes, name) as [number, number];
  const lines = BigInt.asUintN(64, BigInt(unit.call.find!(start, bytes.length, argument === undefined ? 0 : nameStart, name.length)));
  const listed = unit.bytes(Number(lines >> 32n), Number(lines & 0xffffffffn)).toString().split("\n").slice(0, -1);
  return listed.map((line) => {
    const [kind, begin, length] = line.split(" ") as [string, string, string];
    return `${kind} ${bytes.subarray(Number(begin), Number(begin) + Number(length))}`;
  });
}
