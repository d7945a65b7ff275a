// Reporting what became of a call (chapter 3): the history with that outcome, or why it cannot have it.

import { writeCanonical } from "../json/canonical";
import { writeString } from "../json/string";
import { Failure } from "../json/failure";
import {
  OBJECT, SortedMembers, Value, first, get, holdsInexact, isInteger, kind, next, numberValue, stringLength, stringStart, textLength,
} from "../json/value";
import { Buffer, Text } from "../memory/buffer";
import { compareUtf16 } from "../memory/bytes";
import { ArgumentDigests } from "./digest";
import { History } from "./history";
import { statusOf } from "./outcome";

/** One report, read from its document. */
@final
export class Report {
  step: i64 = -1;
  status: i32 = 0;
  private statusValue: Value = 0;
  private at: Value = 0;
  private result: Value = 0;
  private externalId: Value = 0;

  /** Reads the members step, status, at, result and external_id; the pointer of the first that is wrong, or null. */
  read(document: Value): string | null {
    const step = get(document, "step");
    if (!isInteger(step)) return "/step";
    this.step = <i64>numberValue(step);
    this.statusValue = get(document, "status");
    this.status = this.statusValue == 0 ? 0 : statusOf(this.statusValue);
    if (this.status == 0) return "/status";
    this.at = get(document, "at");
    if (this.at != 0 && !isInteger(this.at)) return "/at";
    this.result = get(document, "result");
    this.externalId = get(document, "external_id");
    return null;
  }

  /** The outcome's canonical text: digests in the place of values. A field that holds an inexact number is left out. */
  outcome(digests: ArgumentDigests): Text {
    const out = new Buffer(256);
    out.byte(0x7b);
    if (this.at != 0) {
      out.ascii('"at":');
      writeCanonical(this.at, out);
      out.byte(0x2c);
    }
    if (this.externalId != 0) {
      out.ascii('"external_id":"');
      out.text(digests.of(this.externalId));
      out.ascii('",');
    }
    if (this.result != 0) {
      out.ascii('"result":{');
      // A result that is no object has no fields.
      if (kind(this.result) == OBJECT) writeFields(this.result, digests, out);
      out.ascii("},");
    }
    out.ascii('"status":');
    writeCanonical(this.statusValue, out);
    out.byte(0x7d);
    return out.view();
  }
}

/** Appends the digests of an object's fields, those left out that hold an inexact number. */
function writeFields(result: Value, digests: ArgumentDigests, out: Buffer): void {
  let any = false;
  for (const m = new SortedMembers(result); m.name != 0; m.advance()) {
    if (holdsInexact(m.value)) continue;
    if (any) out.byte(0x2c);
    any = true;
    writeString(stringStart(m.name), stringLength(m.name), out);
    out.ascii(':"');
    out.text(digests.of(m.value));
    out.byte(0x22);
  }
}

/** Why a history cannot take a report; null where it can. */
export function reportFails(history: History, report: Report): Failure | null {
  if (report.step < 0 || report.step >= <i64>history.length) return new Failure("outcome_no_step", "the history has no such step");
  const entry = history.entries[<i32>report.step];
  if (!entry.allowed) return new Failure("outcome_not_allowed", "that step was not allowed, so nothing ran");
  if (entry.status != 0) return new Failure("outcome_already_reported", "an outcome of that step is reported already");
  return null;
}

/** Appends `reports` with one more outcome, its keys sorted. `reports` is canonical, or empty. */
export function writeReports(reports: Value, step: i64, outcome: Text, out: Buffer): void {
  const key = new Buffer(12);
  key.integer(step);
  let written = false;
  let any = false;
  out.byte(0x7b);
  if (reports != 0) {
    for (const m = new SortedMembers(reports); m.name != 0; m.advance()) {
      if (!written && compareUtf16(key.start, key.length, stringStart(m.name), stringLength(m.name)) < 0) {
        written = true;
        if (any) out.byte(0x2c);
        any = true;
        writeReport(key, outcome, out);
      }
      if (any) out.byte(0x2c);
      any = true;
      writeString(stringStart(m.name), stringLength(m.name), out);
      out.byte(0x3a);
      writeCanonical(m.value, out);
    }
  }
  if (!written) {
    if (any) out.byte(0x2c);
    writeReport(key, outcome, out);
  }
  out.byte(0x7d);
}

function writeReport(key: Buffer, outcome: Text, out: Buffer): void {
  out.byte(0x22);
  out.bytes(key.start, key.length);
  out.ascii('":');
  out.text(outcome);
}

/** Appends the history's document with a new outcome on its last entry, or among its pending reports. */
export function writeReported(document: Value, history: History, step: i64, outcome: Text, out: Buffer): void {
  const last = step == <i64>history.length - 1;
  const entries = get(document, "entries");
  out.reserve(textLength(document) + 512);
  out.ascii('{"entries":[');
  const end = next(entries);
  for (let entry = first(entries); entry < end; entry = next(entry)) {
    if (entry != first(entries)) out.byte(0x2c);
    if (last && next(entry) >= end) writeWithOutcome(entry, outcome, out);
    else writeCanonical(entry, out);
  }
  out.ascii('],"format":"qls-history/1"');
  const reports = get(document, "reports");
  if (!last) {
    out.ascii(',"reports":');
    writeReports(reports, step, outcome, out);
  } else if (reports != 0 && history.reports.length != 0) {
    out.ascii(',"reports":');
    writeCanonical(reports, out);
  }
  out.ascii(',"session":');
  writeString(history.session.start, history.session.length, out);
  out.byte(0x7d);
}

function writeWithOutcome(entry: Value, outcome: Text, out: Buffer): void {
  const name = new Buffer(8);
  name.ascii("outcome");
  let written = false;
  out.byte(0x7b);
  let any = false;
  for (const m = new SortedMembers(entry); m.name != 0; m.advance()) {
    if (!written && compareUtf16(name.start, name.length, stringStart(m.name), stringLength(m.name)) < 0) {
      written = true;
      if (any) out.byte(0x2c);
      any = true;
      out.ascii('"outcome":');
      out.text(outcome);
    }
    if (any) out.byte(0x2c);
    any = true;
    writeString(stringStart(m.name), stringLength(m.name), out);
    out.byte(0x3a);
    writeCanonical(m.value, out);
  }
  out.byte(0x7d);
}
