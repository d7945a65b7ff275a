// What a turn is made of: a word, a value, a quoted text, an address, or a mark that divides.

import { NO_TEXT, Text } from "../memory/buffer";

export const enum Kind {
  Word,
  /** A numeral of the language. */
  Number,
  /** Letters and digits that are no numeral, such as A-77. */
  Mark,
  Date,
  Quoted,
  /** An address of chapter 5, or a path. */
  Address,
  Comma,
  /** A sentence's end, a semicolon, a line's end. */
  Break,
}

/** The kind of an address: chapter 5's, or this one. */
export const PATH: i32 = 5;

@final
export class Token {
  /** Classes of a word (lexicon.ts). */
  classes: u32 = 0;
  /** Traits of a word (lexicon.ts). */
  traits: u32 = 0;
  /** A word's folded form. */
  word: Text = NO_TEXT;
  /** The mark that stands before it and is no token, such as a colon; 0 where there is none. */
  led: i32 = 0;
  /** The number of a word's stem in the vocabulary, and of the English word it stands for; -1: no tool has it. */
  stem: i32 = -1;
  other: i32 = -1;
  /** The English word it stands for, as it is written. */
  stands: Text = NO_TEXT;
  /** The clause it is in, or -1 where it only joins clauses. */
  clause: i32 = -1;
  /** Of an address: its kind. */
  address: i32 = 0;
  /** Of a number: its value, and what stood beside it. */
  value: f64 = 0;
  money: bool = false;
  percent: bool = false;
  /** Of an address: quotation marks stand around it; it ends as files' names do; it is such a name alone (`minutes.txt`), and no address of chapter 5 or path. */
  quoted: bool = false;
  file: bool = false;
  bare: bool = false;
  /** An address said as where something goes. */
  toward: bool = false;
  /** Whether an argument took it; a number: one that takes numbers. */
  taken: bool = false;
  takenAsNumber: bool = false;
  /** It took it as an id. */
  takenAsId: bool = false;
  /** What an argument would hold: the text without quotes or signs. */
  from: usize;
  to: usize;
  constructor(
    public kind: Kind,
    public start: usize,
    public end: usize,
  ) {
    this.from = start;
    this.to = end;
  }

  /** Whether it is a value that an argument may take. */
  get isValue(): bool {
    return this.kind >= Kind.Number && this.kind <= Kind.Address;
  }
}
