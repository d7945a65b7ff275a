// Whose a value is: the parameter whose noun stands beside it, another one, or another tool.

import { spend } from "../memory/steps";
import { takesAddress } from "./accept";
import { CALCULATION, CLOSED, DETERMINER, FILLER, MONEY } from "./classes";
import { NAMES_ID, Parameter } from "./parameters";
import { Step } from "./step";
import { Kind, Token } from "./token";
import { ALSO, OWN, PARAMETER, REST, Vocabulary } from "./vocabulary";

/** How far back the noun stands that a value belongs to, over words that only join them. */
export const LABEL_REACH: i32 = 4;

@final
export class Owners {
  constructor(
    private tokens: Array<Token>,
    private vocabulary: Vocabulary,
  ) {}

  /** Whether a word is one of a parameter's name, or stands for one. */
  hasWord(parameter: Parameter, word: Token): bool {
    for (let i = 0; i < parameter.words.length; i++) if (this.isWord(parameter.words[i], word)) return true;
    return false;
  }

  /** Whether a word is a parameter's, or stands for it. */
  isWord(known: i32, word: Token): bool {
    return known == word.stem || known == word.other || (word.stem >= 0 && known == this.vocabulary.alias(word.stem));
  }

  /** Whether a number stands after a noun of another parameter, or of other tools alone, and is of that: `what is left in account 12` is no amount. */
  isOthers(step: Step, parameter: Parameter, index: i32, from: i32): bool {
    const token = this.tokens[index];
    if ((token.kind != Kind.Number && token.kind != Kind.Mark) || token.money) return false;
    for (let i = index - 1; i >= from && index - i <= LABEL_REACH; i--) {
      const before = this.tokens[i];
      if (before.kind != Kind.Word || before === step.clause.verb) return false;
      if ((before.classes & (CLOSED | CALCULATION)) == 0) {
        if (this.hasWord(parameter, before)) return false;
        const parameters = step.words.parameters;
        for (let p = 0; p < parameters.length; p++) {
          spend(1);
          if ((parameters[p].names & NAMES_ID) != 0 && this.hasWord(parameters[p], before)) return true;
        }
        let others = false;
        for (let posting = this.vocabulary.first(before.stem); posting.tool >= 0; posting = posting.next) {
          spend(1);
          if (posting.tool == step.words.tool.index && (posting.sources & (OWN | PARAMETER)) != 0) return false;
          if ((posting.sources & (REST | ALSO | PARAMETER)) != 0) others = true;
        }
        if (others) return true;
      }
      if ((before.classes & (FILLER | DETERMINER | MONEY)) == 0) return false;
    }
    return false;
  }

  /** Whether a quoted address is no text for a parameter, since another takes it as what it is. */
  isAnothers(step: Step, parameter: Parameter, token: Token): bool {
    if (token.kind != Kind.Address || !token.quoted || takesAddress(parameter, token.address)) return false;
    const parameters = step.words.parameters;
    for (let p = 0; p < parameters.length; p++) if (step.bound[p] === null && takesAddress(parameters[p], token.address)) return true;
    return false;
  }
}
