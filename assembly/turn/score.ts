// What the words of a clause say of one tool.

/** What a clause's words say of one tool. */
@final
export class Score {
  clause: i32 = -1;
  /** The token counted last: a word and the word it stands for count once. */
  token: i32 = -1;
  own: i32 = 0;
  nouns: i32 = 0;
  /** Nouns that are no words of calculation. */
  data: i32 = 0;
  exact: i32 = 0;
  verb: bool = false;
  /** A noun of the clause is the name's verb, or in also_called. */
  deed: bool = false;
  /** A word is in also_called and not in the name. */
  also: bool = false;
  /** Words of the object that the tool knows, and of those the ones it has as its own. */
  explained: i32 = 0;
  /** Words besides the verb that it has as its own or in a parameter's name. */
  knows: i32 = 0;
  /** Words of the clause that say of what, and that the tool knows. */
  familiar: i32 = 0;
  /** Words of its description, and those that no other description of the agent's tools has. */
  described: i32 = 0;
  unique: i32 = 0;
  describedVerb: bool = false;
  uniqueVerb: bool = false;

  begin(clause: i32): void {
    this.clause = clause;
    this.token = -1;
    this.own = this.nouns = this.data = this.exact = this.explained = this.familiar = this.knows = this.described = this.unique = 0;
    this.verb = this.deed = this.also = this.describedVerb = this.uniqueVerb = false;
  }
}
