// Reads a document with the core and with the model, and says what each made of it, in one form to compare.

import { JsonError, canonicalBytes, inexactNumbers, read } from "../model/json";
import { Unit } from "./instance";

const unit = new Unit("json");

/** What a reader made of a text: its canonical form and the pointers of its inexact numbers, or an error's code, offset and pointer. */
export type Reading = { canonical: string; inexact: string[] } | { code: string; offset: number; pointer: string };

/** The core's reading. Canonical texts are bytes, held as latin1 so that none is lost. */
export function coreReads(bytes: Uint8Array, depth = 128, limit = 8388608): Reading {
  const [start] = unit.place(bytes) as [number];
  const answer = unit.call.read!(start, bytes.length, depth, BigInt(limit));
  const text = unit.bytes(unit.call.output!(), unit.call.outputLength!());
  if (answer === 2) {
    const [code, offset, ...pointer] = text.toString("utf8").split("\n") as [string, string, ...string[]];
    return { code, offset: Number(offset), pointer: pointer.join("\n") };
  }
  const canonical = text.toString("latin1");
  let inexact: string[] = [];
  if (answer === 1) {
    const length = unit.call.inexactPointers!();
    const pointers = unit.bytes(unit.call.output!(), length).toString("latin1").split("\xff").slice(0, -1);
    inexact = pointers.map((pointer) => Buffer.from(pointer, "latin1").toString("utf8"));
  }
  return { canonical, inexact };
}

/** The model's reading. */
export function modelReads(bytes: Uint8Array, depth = 128, limit = 8388608): Reading {
  try {
    const value = read(bytes, { depth, bytes: limit });
    return { canonical: Buffer.from(canonicalBytes(value)).toString("latin1"), inexact: inexactNumbers(value).map((one) => one.pointer) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { code: error.code, offset: error.offset, pointer: error.pointer };
  }
}

/** The canonical form of a member of the object read last, or null. */
export function coreLooksUp(bytes: Uint8Array, name: string): string | null {
  const key = new TextEncoder().encode(name);
  const [start, at] = unit.place(bytes, key) as [number, number];
  unit.call.read!(start, bytes.length, 128, 8388608n);
  const length = unit.call.lookUp!(at, key.length);
  return length < 0 ? null : unit.bytes(unit.call.output!(), length).toString("utf8");
}
