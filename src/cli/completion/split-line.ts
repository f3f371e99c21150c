/**
 * The words of a bash command line up to the cursor, as bash would read them. Nothing is expanded and
 * nothing is run: what would be is left as it is written.
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
