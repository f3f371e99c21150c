/**
 * Words as shells read and write them.
 *
 * The words of a bash command line up to the cursor are read as bash would: nothing is expanded and nothing is
 * run, what would be is left as it is written. Values are put on a command line as one word of text that runs
 * nothing; what cannot be written so where the cursor is, is not offered. zsh and fish quote by themselves what
 * they insert; bash and PowerShell insert what they are given.
 */

/** Where the cursor is: outside quotes, or inside some that are still open. */
export type Quote = '' | "'" | '"';

export interface SplitLine {
  /** Words before the one at the cursor, without quotes; the first names the program. */
  words: string[];
  /** The word at the cursor, without quotes. */
  current: string;
  /** How many characters of it bash keeps as they are: it replaces what follows a `=`, a `:` or a quote. */
  kept: number;
  quote: Quote;
}

/** What begins another command. */
const OPERATORS = '|&;(\n';
const ESCAPED_IN_DOUBLE = '$`"\\\n';

/**
 * @param line up to the cursor
 * @param breaks COMP_WORDBREAKS
 */
export function splitLine(line: string, breaks: string): SplitLine {
  return new Splitter(line, breaks).split();
}

class Splitter {
  readonly #line: string;
  readonly #breaks: string;
  #words: string[] = [];
  #current: string | undefined;
  #kept = 0;
  #quote: Quote = '';

  constructor(line: string, breaks: string) {
    this.#line = line;
    this.#breaks = breaks.replaceAll(/[\s"'><]/g, '');
  }

  split(): SplitLine {
    for (let at = 0; at < this.#line.length; at++) at += this.#take(at);
    const current = this.#current ?? '';
    return { words: this.#words, current, kept: this.#kept, quote: this.#quote };
  }

  /** @returns how many characters were taken beside the one at that place */
  #take(at: number): number {
    const char = this.#line.charAt(at);
    if (char === this.#quote) this.#quote = '';
    else if (this.#quote === "'") this.#add(char);
    else if (char === '\\') return this.#escape(this.#line.charAt(at + 1));
    else if (this.#quote === '"') this.#add(char);
    else this.#takeBare(char);
    return 0;
  }

  #escape(next: string): number {
    if (this.#quote === '"' && !ESCAPED_IN_DOUBLE.includes(next)) this.#add('\\');
    else if (next !== '\n') this.#add(next);
    return this.#quote === '"' && !ESCAPED_IN_DOUBLE.includes(next) ? 0 : 1;
  }

  #takeBare(char: string): void {
    if (char === '"' || char === "'") {
      this.#quote = char;
      this.#add('');
      this.#kept = this.#current?.length ?? 0;
    } else if (OPERATORS.includes(char)) {
      this.#words = [];
      this.#endWord(false);
    } else if (/\s/.test(char)) {
      this.#endWord(true);
    } else {
      this.#add(char);
      if (this.#breaks.includes(char)) this.#kept = this.#current?.length ?? 0;
    }
  }

  #endWord(isKept: boolean): void {
    if (isKept && this.#current !== undefined) this.#words.push(this.#current);
    this.#current = undefined;
    this.#kept = 0;
  }

  #add(text: string): void {
    this.#current = (this.#current ?? '') + text;
  }
}

/** Nothing that a shell, a terminal or a line of the answer takes for more than a character. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u;
const MAX_LENGTH = 200;
const SAFE = /[\p{L}\p{N}\p{M}_@%+=:,./-]/u;

/** @returns whether a value can be shown and typed at all */
export function isTypeable(value: string): boolean {
  return value !== '' && value.length <= MAX_LENGTH && !UNPRINTABLE.test(value);
}

/**
 * @param quote the quotes that are open at the cursor
 * @returns the text for bash to insert, or undefined when there is none in these quotes
 */
export function quoteForBash(value: string, quote: Quote): string | undefined {
  if (quote === "'") return value.includes("'") ? undefined : value;
  // In double quotes nothing keeps `!` from the history without becoming a part of the word.
  if (quote === '"') return value.includes('!') ? undefined : value.replaceAll(/[$`"\\]/g, '\\$&');
  return [...value].map((char) => (SAFE.test(char) ? char : `\\${char}`)).join('');
}

/** @returns the word for PowerShell to insert, in its single quotes where it needs them */
export function quoteForPowerShell(value: string): string {
  const isPlain = /^[\p{L}\p{N}_./:=+-]+$/u.test(value) && !value.startsWith(':');
  // It takes typographic quotes for its own.
  return isPlain ? value : `'${value.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}
