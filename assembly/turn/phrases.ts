// Joins the words of a turn that a language knows as one phrase.

import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { PHRASE, SENDS } from "./classes";
import { fold } from "./fold";
import { Lexicon, foundOther } from "./lexicon";
import { Kind, Token } from "./token";
import { Vocabulary } from "./vocabulary";

/** Joins the words of phrases, the longest first. */
export function joinPhrases(list: Array<Token>, lexicon: Lexicon, vocabulary: Vocabulary): void {
  let to = 0;
  const phrase = new Buffer(64);
  for (let i = 0; i < list.length; i++) {
    const token = list[i];
    list[to++] = token;
    if ((token.classes & PHRASE) == 0 || token.kind != Kind.Word) continue;
    for (let more = 3; more >= 1; more--) {
      if (i + more >= list.length || !together(list, i, more)) continue;
      phrase.clear();
      for (let k = 0; k <= more; k++) {
        if (k != 0) phrase.byte(0x20);
        if (list[i + k].word.length > 24) break;
        phrase.text(list[i + k].word);
      }
      const classes = lexicon.phrase(phrase.start, phrase.length);
      if (classes == 0) continue;
      token.end = list[i + more].end;
      token.to = token.end;
      token.classes = classes;
      token.traits = lexicon.traitsOf(new Text(phrase.start, phrase.length), NO_TEXT);
      // The form of `pass it along` is not that of `pass`.
      if ((classes & SENDS) != 0) {
        const whole = new Buffer(phrase.length);
        whole.bytes(phrase.start, phrase.length);
        token.word = whole.view();
      }
      // What the phrase stands for; without it a phrase reaches nothing by its first word.
      token.stands = foundOther;
      token.stem = -1;
      token.other = -1;
      if (foundOther.length != 0) {
        const other = new Buffer(foundOther.length + 8);
        fold(foundOther.start, foundOther.start + <usize>foundOther.length, other);
        token.other = vocabulary.find(lexicon.stem(other.start, other.length));
      }
      i += more;
      break;
    }
  }
  list.length = to;
  // `10 percent`
  for (let i = 1; i < to; i++) if (list[i - 1].kind == Kind.Number && list[i].kind == Kind.Word && list[i].stands.length == 1 && load<u8>(list[i].stands.start) == 0x25) list[i - 1].percent = true;
}

/** Whether the `more` tokens after `i` are words with nothing but spaces between. */
function together(list: Array<Token>, i: i32, more: i32): bool {
  for (let k = 1; k <= more; k++) {
    const token = list[i + k];
    if (token.kind != Kind.Word || token.start - list[i + k - 1].end > 2) return false;
  }
  return true;
}
