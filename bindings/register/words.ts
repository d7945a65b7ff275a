// The words of names and descriptions as the reading of turns takes them (chapter 6): folded, inflected forms made one, verbs told by what they ask for.
import { LANGUAGES, type LanguageWords } from './words.gen.ts';

/** A word: as it is written, folded, and what all its forms have in common. */
export interface Word { form: string; stem: string }

/** What a verb asks for: to look something up, little by itself, to send data out, or another deed. */
export type Verb = 'look' | 'light' | 'sends' | 'deed';

/**
 * What the last word of a parameter's name says that it takes: an e-mail address, a URL, a host or an IP address. Narrower than the words by which a turn's address finds its
 * parameter (a `user` or an `account` may be one too): a warning about every one of those would bury the others.
 */
const ADDRESSES = new Set('email mail recipient cc bcc url uri href link webhook host hostname domain ip ipv4 ipv6 destinatario dominio'.split(' '));

/** The words of one language. */
export class Words {
  readonly #endings: readonly (readonly [string, string])[][];
  readonly #irregular: ReadonlyMap<string, string>;
  readonly #forms: readonly string[];
  readonly #closed: ReadonlySet<string>;
  /** By stem: the verb in its dictionary form, the English one it stands for, and what it asks for. */
  readonly #verbs = new Map<string, { lemma: string; english: string; asks: Verb }>();

  /** The words of a language by the name that `settings.language` has for it; English where that is none. */
  constructor(language: string) {
    const words: LanguageWords = LANGUAGES[Object.hasOwn(LANGUAGES, language) ? language : 'en']!;
    this.#endings = words.endings.map((group) => group.split(' ').map((pair) => pair.split('>') as [string, string]));
    this.#irregular = new Map(words.irregular.split(' ').map((pair) => pair.split('>') as [string, string]));
    this.#forms = words.forms === '' ? [] : words.forms.split(' ');
    this.#closed = new Set(words.closed.split(' '));
    for (const [list, asks] of [[words.sends, 'sends'], [words.look, 'look'], [words.light, 'light'], [words.verb, 'deed']] as const) {
      for (const pair of list.split(' ')) {
        const [lemma, english] = pair.split('=') as [string, string?];
        const stem = this.stem(lemma);
        if (!this.#verbs.has(stem)) this.#verbs.set(stem, { lemma, english: english ?? lemma, asks });
      }
    }
  }

  /** The parts of a tool's or parameter's name: `getOrder`, `get_order`. */
  ofName(name: string): Word[] {
    return (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lt}\p{Lm}]+|\p{N}+/gu) ?? []).map((part) => this.word(part));
  }

  /** The words of a text that say something: articles, prepositions and the like are left out. */
  ofText(text: string): Word[] {
    return (text.match(/[\p{L}\p{M}\p{N}]+(?:[-'’][\p{L}\p{M}\p{N}]+)*/gu) ?? []).map((part) => this.word(part)).filter((word) => !this.isClosed(word));
  }

  /** Whether a word says nothing of what is asked for: an article, a preposition and the like. */
  isClosed(word: Word): boolean {
    return this.#closed.has(word.form) && this.verb(word) === null;
  }

  /** What a word asks for, where it is a verb. */
  verb({ form, stem }: Word): Verb | null {
    return this.known(form, stem)?.asks ?? null;
  }

  /** The stems under which a word is known: its own, and that of the English verb it stands for. */
  stems({ form, stem }: Word): string[] {
    const verb = this.known(form, stem);
    return verb ? [...new Set([stem, this.stem(verb.english)])] : [stem];
  }

  /** Whether a verb that sends data out is known under a stem: one of the language, or an English one. */
  sends(stem: string): boolean {
    for (const { asks, english, lemma } of this.#verbs.values()) if (asks === 'sends' && (this.stem(english.replace(/[^\p{L}]/gu, '')) === stem || this.stem(lemma) === stem)) return true;
    return false;
  }

  /** What all inflected forms of a folded word have in common. */
  stem(form: string): string {
    let word = this.#irregular.get(form) ?? form;
    for (const group of this.#endings) {
      const found = group.find(([from]) => word.length - from.length >= 3 && word.endsWith(from));
      if (found) word = word.slice(0, word.length - found[0].length) + found[1];
    }
    return word;
  }

  private word(part: string): Word {
    const form = fold(part);
    return { form, stem: this.stem(form) };
  }

  private known(form: string, stem: string): { lemma: string; english: string; asks: Verb } | null {
    const verb = this.#verbs.get(stem);
    if (!verb) return null;
    const isForm = this.#forms.length === 0 || form === verb.lemma || this.#forms.some((ending) => form.endsWith(ending)) || this.#irregular.has(form);
    return isForm ? verb : null;
  }
}

/** Whether the name of a parameter says that it takes an e-mail address, a URL, a host or an IP address: `email`, `emailAddress`, `callback_urls`. */
export function namesAddress(words: readonly Word[]): boolean {
  const last = words.findLast(({ form }) => !/^(?:address(?:es)?|enderecos?)$/.test(form))?.form ?? '';
  return ADDRESSES.has(last) || (last.endsWith('s') && ADDRESSES.has(last.slice(0, -1))) || (words.length === 1 && last === 'to');
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/[\p{M}\p{Cf}'’-]/gu, '').toLowerCase();
}
