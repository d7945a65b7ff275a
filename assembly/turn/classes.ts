// Classes and traits of words, and how a verb's form is used.

// Classes of words; the letters of words.gen.ts are `A` and the bit.
export const THEN: u32 = 1 << 0;
export const AND: u32 = 1 << 1;
export const SKIP: u32 = 1 << 2;
export const DETERMINER: u32 = 1 << 3;
export const PRONOUN: u32 = 1 << 4;
export const MODAL: u32 = 1 << 5;
export const INFINITIVE: u32 = 1 << 6;
export const TOWARD: u32 = 1 << 7;
export const PREPOSITION: u32 = 1 << 8;
export const QUESTION: u32 = 1 << 9;
export const LOOK: u32 = 1 << 10;
export const LIGHT: u32 = 1 << 11;
export const VERB: u32 = 1 << 12;
export const SENDS: u32 = 1 << 13;
export const SENDS_NOUN: u32 = 1 << 14;
export const CALCULATION: u32 = 1 << 15;
export const OPERATOR: u32 = 1 << 16;
export const PLACE: u32 = 1 << 17;
export const NEGATION: u32 = 1 << 18;
export const CONDITION: u32 = 1 << 19;
export const WISH: u32 = 1 << 20;
export const MONTH: u32 = 1 << 21;
export const ON: u32 = 1 << 22;
export const OFF: u32 = 1 << 23;
export const MONEY: u32 = 1 << 24;
export const FILLER: u32 = 1 << 25;
export const ABBREVIATION: u32 = 1 << 26;
export const ANAPHOR: u32 = 1 << 27;
export const BE: u32 = 1 << 28;
export const OPERAND: u32 = 1 << 29;
export const MULTIPLE: u32 = 1 << 30;
/** The word begins a phrase of several. */
export const PHRASE: u32 = 1 << 31;

/** Classes whose words are given in their dictionary form, and known in every other. */
export const LEMMAS: u32 = LOOK | LIGHT | VERB | SENDS | CALCULATION;
/** Classes of words that say nothing of what is asked for. */
export const CLOSED: u32 = THEN | AND | SKIP | DETERMINER | PRONOUN | MODAL | INFINITIVE | TOWARD | PREPOSITION | QUESTION | NEGATION | CONDITION | BE | ANAPHOR;

// Traits: small classes of words that single patterns look for; the letters of words.gen.ts are `a` and the bit.
/** A verb of putting something somewhere (put, drop), and a preposition that says where after one alone (in). */
export const PUTS: u32 = 1 << 0;
export const WITHIN: u32 = 1 << 1;
/** For each: per, each, apiece. */
export const UNIT: u32 = 1 << 2;
/** A verb that takes on and off (turn, switch). */
export const SWITCHES: u32 = 1 << 4;
/** A verb that changes what is (update, raise), and the preposition that says by how much. */
export const CHANGES: u32 = 1 << 6;
export const BY: u32 = 1 << 7;
/** A form of be that asks for it: be; ser, seja. */
export const SUBJUNCTIVE: u32 = 1 << 8;
/** A conjunction that begins what is wished for, where an article follows (que). */
export const THAT: u32 = 1 << 9;
/** Who is asked, and who tells. */
export const YOU: u32 = 1 << 10;
export const TELLER: u32 = 1 << 11;
export const OF: u32 = 1 << 12;
/** A span of time: day, month. */
export const SPAN: u32 = 1 << 16;
/** Compares with a number before it: more than. */
export const MORE: u32 = 1 << 17;
/** A verb that makes the past with a participle: have. */
export const HAVE: u32 = 1 << 19;
export const OR: u32 = 1 << 20;
/** What is counted one by one: item, person. */
export const COUNTED: u32 = 1 << 14;
/** A verb of which *by* leaves open whether it changes or sets (ajustar em). */
export const ADJUSTS: u32 = 1 << 24;
/** A verb whose object serves another deed: use it to pay. */
export const USES: u32 = 1 << 26;
/** Asks that something is so: make sure. */
export const ENSURES: u32 = 1 << 27;
/** Before a number: about, at most. */
export const APPROXIMATE: u32 = 1 << 28;
/** An article of what is not there yet: an. */
export const INDEFINITE: u32 = 1 << 29;
/** Takes back what was said before, or puts it off: wait, tomorrow. */
export const CORRECTS: u32 = 1 << 30;
/** Says that one thing becomes another, or where it stands: becomes, goes in as. */
export const BECOMES: u32 = 1 << 3;
/** Before the time by which something is to be done: until. */
export const UNTIL: u32 = 1 << 5;
/** Asks how many. */
export const COUNTS: u32 = 1 << 13;
/** Begins why: because. */
export const REASON: u32 = 1 << 31;
/** A verb that sends only what stands after it: `it leaks` sends nothing. */
export const LEAKS: u32 = 1 << 15;
/** A negation that asks politely in a question: `não poderia enviar?`, `couldn't we send it?`. */
export const ASKS_TOO: u32 = 1 << 18;
/** Speaks of several, or of any: every, anyone. */
export const QUANTIFIES: u32 = 1 << 21;
/** A verb that sends, and that has another deed done before an infinitive: `manda bloquear o cartão`. */
export const BIDS: u32 = 1 << 22;
/** A verb whose *by* says what it takes: `extend by 2 nights`. */
export const EXTENDS: u32 = 1 << 23;
/** How often: twice, times, weekly. */
export const OFTEN: u32 = 1 << 25;
/** Those of verbs and nouns, which count in every form. */
export const INFLECTED: u32 = PUTS | SWITCHES | CHANGES | ADJUSTS | USES | COUNTED | SPAN | LEAKS | BIDS | EXTENDS;

/** How a verb's form is used, by its ending. */
export const enum Form {
  Base,
  /** A verb wherever it stands. */
  Always,
  Participle,
  Noun,
}
