// Step 4: a tool that sends nothing out is given no destination (chapter 5).

import { DestinationSink, findDestinations, holdsDestination, isWholeAddress } from "../evidence/destinations";
import { Places } from "../json/places";
import { writePointerToken } from "../json/pointer";
import { writeString } from "../json/string";
import { NODE_SIZE, STRING, Value, kind, next, stringLength, stringStart } from "../json/value";
import { Buffer, Text } from "../memory/buffer";
import { compareUtf16, equalBytes } from "../memory/bytes";
import { Tool } from "../policy/policy";
import { Argument, Call } from "./call";

/** A string that holds destinations: where it stands, and what it holds. */
@final
class Place {
  constructor(
    public pointer: Text,
    public found: Array<Text>,
  ) {}
}

/** Whether the step answered. */
export function noDestination(call: Call, tool: Tool): bool {
  if (tool.sendsOut) return false;
  let any = false;
  for (let i = 0; i < call.list.length && !any; i++) any = argumentHolds(call.list[i], tool);
  if (!any) return false;
  const places: Array<Place> = [];
  for (let i = 0; i < call.list.length; i++) collect(call.list[i], tool, places);
  return refuseFor(call, places);
}

function isExempt(argument: Argument, tool: Tool): bool {
  const value = argument.value;
  if (kind(value) != STRING) return false;
  for (let i = 0; i < tool.subjectArguments.length; i++) {
    const name = tool.subjectArguments[i];
    if (equalBytes(name.start, name.length, argument.name.start, argument.name.length)) return isWholeAddress(stringStart(value), stringLength(value));
  }
  return false;
}

/** Whether a name or a string of the argument holds one. Nodes stand in document order, names among them. */
function argumentHolds(argument: Argument, tool: Tool): bool {
  const value = argument.value;
  if (holdsDestination(argument.name.start, argument.name.length, null)) return true;
  if (kind(value) == STRING) return holdsDestination(stringStart(value), stringLength(value), argument.name) && !isExempt(argument, tool);
  for (let at = value; at < next(value); at += NODE_SIZE) {
    if (kind(at) == STRING && holdsDestination(stringStart(at), stringLength(at), null)) return true;
  }
  return false;
}

function collect(argument: Argument, tool: Tool, places: Array<Place>): void {
  const name = argument.name;
  look(name.start, name.length, null, places, argument, argument.value, null);
  const value = argument.value;
  if (kind(value) == STRING) {
    if (!isExempt(argument, tool)) look(stringStart(value), stringLength(value), name, places, argument, value, null);
    return;
  }
  const below = new Places(value);
  for (let at = value; at < next(value); at += NODE_SIZE) if (kind(at) == STRING) look(stringStart(at), stringLength(at), null, places, argument, at, below);
}

/** Adds what a text holds, by pointer; a name stands where its value does, and before it. `below` finds places inside the argument. */
function look(start: usize, length: i32, whose: Text | null, places: Array<Place>, argument: Argument, at: Value, below: Places | null): void {
  const sink = new DestinationSink();
  findDestinations(start, length, whose, sink);
  if (sink.count == 0) return;
  const found: Array<Text> = [];
  for (let i = 0; i < sink.count; i++) found.push(new Text(start + <usize>sink.begin(i), sink.length(i)));
  const out = new Buffer(32);
  writePointerToken(argument.name.start, argument.name.length, out);
  if (below != null) below.write(at, out);
  places.push(new Place(out.view(), found));
}

/** Sorts places by pointer, by merging runs; equal pointers keep their order. */
function sortPlaces(places: Array<Place>): Array<Place> {
  let from = places;
  for (let width = 1; width < from.length; width *= 2) {
    const to: Array<Place> = [];
    for (let low = 0; low < from.length; low += 2 * width) {
      const middle = min(low + width, from.length);
      const high = min(low + 2 * width, from.length);
      let a = low;
      let b = middle;
      while (a < middle || b < high) {
        const left = a < middle && (b >= high || comparePlaces(from[a], from[b]) <= 0);
        to.push(left ? from[a++] : from[b++]);
      }
    }
    from = to;
  }
  return from;
}

function comparePlaces(a: Place, b: Place): i32 {
  return compareUtf16(a.pointer.start, a.pointer.length, b.pointer.start, b.pointer.length);
}

function refuseFor(call: Call, unsorted: Array<Place>): bool {
  const places = sortPlaces(unsorted);
  const detail = new Buffer(256);
  detail.ascii('{"destinations":[');
  let any = false;
  for (let i = 0; i < places.length; i++) {
    for (let j = 0; j < places[i].found.length; j++) {
      if (any) detail.byte(0x2c);
      any = true;
      writeString(places[i].found[j].start, places[i].found[j].length, detail);
    }
  }
  detail.ascii('],"hint":"declare sends_out on a tool that sends data out, or subject_argument for an argument whose address says whose data is read","pointers":[');
  any = false;
  for (let i = 0; i < places.length; i++) {
    for (let j = 0; j < places[i].found.length; j++) {
      if (any) detail.byte(0x2c);
      any = true;
      writeString(places[i].pointer.start, places[i].pointer.length, detail);
    }
  }
  detail.ascii("]}");
  return call.refuse("undeclared_destination", detail);
}
