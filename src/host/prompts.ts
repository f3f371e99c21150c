/**
 * Asks a person questions on stderr, because stdout carries records. inquirer draws them. Plain mode is for a screen
 * reader, or a terminal that cannot draw anything again. There a question is a line of words and an answer is a line,
 * which the terminal itself shows and edits.
 *
 * inquirer's `password` keeps a refused secret, which nobody can see to correct. So a secret is an `input` that draws
 * asterisks and is cleared.
 */
import { createInterface } from 'node:readline/promises';
import { Transform, Writable } from 'node:stream';
import { hiddenFault, trimText } from '../base/clean-text.ts';
import type { Candidates, Choice, HiddenOptions, Output, Prompts, TextOptions } from './host.ts';
import { neutralise } from './redaction/safe.ts';
import { Keys, type Typed } from './terminal/keys.ts';

interface Asked extends Omit<TextOptions, 'candidates'> {
  /** Whole lines above the question. */
  above?: string | undefined;
  isHidden?: true;
}

/** A question in inquirer's form. */
type Drawn =
  | { type: 'confirm'; message: string; default: false }
  | {
      type: 'select';
      message: string;
      choices: object[];
      loop: false;
      theme: { indexMode: 'number' };
    }
  | {
      type: 'input';
      message: string;
      default?: string | undefined;
      transformer: (value: string, state: { isFinal: boolean }) => string;
      validate: (value: string) => Promise<string | true>;
      theme: { validationFailureMode: 'clear' | 'keep' };
    };

/** Names up to this length align their hints. */
const MAX_NAME = 40;

/** Discards the text that `readline` would draw. */
const NOWHERE = new Writable({ write: (_chunk, _encoding, done) => done() });

const BELL = '\u0007';

// biome-ignore lint/suspicious/noControlCharactersInRegex: what keys such as the arrows send begins with one
const CONTROL = /[\u0000-\u001f]/;

export class TerminalPrompts implements Prompts {
  readonly #stderr: Pick<Output, 'write' | 'isPlain'>;
  readonly #keyboard: Keys;

  /**
   * @param stdin a terminal
   * @param interrupted cancels a question
   */
  constructor(
    stdin: NodeJS.ReadStream,
    stderr: Pick<Output, 'write' | 'isPlain'>,
    interrupted: AbortSignal,
  ) {
    this.#stderr = stderr;
    this.#keyboard = new Keys(stdin, interrupted);
  }

  async text(
    question: string,
    { candidates, check = () => true, ...options }: TextOptions = {},
  ): Promise<string> {
    const typed = await this.#ask(neutralise(question), {
      ...options,
      check(text) {
        const clean = trimText(text);
        const fault = hiddenFault(clean);
        return fault === undefined ? check(clean) : `The text ${fault}`;
      },
      above: candidates && this.#listOf(candidates),
    });
    return trimText(typed);
  }

  hidden(question: string, options: HiddenOptions = {}): Promise<string> {
    return this.#ask(neutralise(question), { ...options, isHidden: true });
  }

  async select(question: string, choices: readonly Choice[]): Promise<string> {
    const message = neutralise(question);
    const rows = this.#rowsOf(choices);
    if (!this.#stderr.isPlain) {
      const listed = choices.map(({ value, name }, i) => ({
        value,
        name: rows[i],
        short: neutralise(name),
      }));
      const theme = { indexMode: 'number' } as const;
      return String(
        await this.#draw(() => ({ type: 'select', message, choices: listed, loop: false, theme })),
      );
    }
    const picked = (typed: string) =>
      choices[Number(typed) - 1] ?? choices.find((choice) => isCalled(choice, typed));
    const answer = await this.#ask('Number or name:', {
      above: `${message}\n${rows.map((row, i) => `${i + 1}. ${row}\n`).join('')}`,
      check: (typed) =>
        picked(typed) !== undefined || `Type a number from 1 to ${choices.length}, or a name`,
      shown: (typed) => picked(typed)?.name ?? '',
    });
    return picked(answer)?.value ?? '';
  }

  async confirm(question: string): Promise<boolean> {
    const message = neutralise(question);
    if (this.#stderr.isPlain)
      return /^y(?:es)?$/i.test((await this.#say(`${message} (y/N) `)).trim());
    return (await this.#draw(() => ({ type: 'confirm', message, default: false }))) === true;
  }

  /** Asks until an answer is accepted. */
  async #ask(message: string, asked: Asked): Promise<string> {
    const { above = '', initial, check = () => true, shown = (typed) => typed } = asked;
    const { isHidden, isAnew } = asked;
    if (this.#stderr.isPlain) return this.#askInWords(message, asked);
    const transformer = (typed: string, { isFinal }: { isFinal: boolean }) =>
      isHidden ? '*'.repeat(typed.length) : isFinal && typed !== '' ? shown(typed) : typed;
    const drawn = (drop: Typed['drop']): Drawn => ({
      type: 'input',
      message,
      default: initial,
      transformer,
      async validate(typed) {
        const verdict = check(typed);
        if (verdict !== true) await drop();
        return verdict;
      },
      theme: { validationFailureMode: isHidden || isAnew ? 'clear' : 'keep' },
    });
    return String(await this.#draw(drawn, above));
  }

  /** Draws a question below the text `above`. @returns inquirer's answer */
  async #draw(drawn: (drop: Typed['drop']) => Drawn, above = ''): Promise<unknown> {
    const { createPromptModule } = await import('inquirer');
    return this.#keyboard.answer(async ({ keys, signal, drop }) => {
      const question = drawn(drop);
      const refuse = async () => {
        await drop();
        await this.#stderr.write(BELL);
      };
      const input =
        question.type === 'select' ? keys.pipe(rowKeys(question.choices.length, refuse)) : keys;
      const prompt = createPromptModule({ input, output: process.stderr, signal });
      if (above !== '') await this.#stderr.write(above);
      const { answer } = await prompt<{ answer: unknown }>([{ ...question, name: 'answer' }]);
      return answer;
    });
  }

  /** Asks until the answer is valid, and says each time what is wrong with the last one. */
  async #askInWords(message: string, asked: Asked): Promise<string> {
    const { initial, check = () => true, shown = () => '', isHidden } = asked;
    const question = initial ? `${message} (empty for ${initial}) ` : `${message} `;
    for (let above = asked.above ?? ''; ; ) {
      const answer = (await this.#say(`${above}${question}`, isHidden)) || (initial ?? '');
      const verdict = CONTROL.test(answer) ? 'Type text alone, without arrow keys' : check(answer);
      if (verdict === true) {
        const text = answer === '' ? '' : shown(answer);
        if (text !== '') await this.#stderr.write(`${text}\n`);
        return answer;
      }
      above = `${verdict}.\n`;
    }
  }

  /** @returns the line typed after a text; the terminal shows it unless it is hidden */
  async #say(text: string, isHidden = false): Promise<string> {
    const line = await this.#keyboard.answer(async ({ keys, signal }) => {
      await this.#stderr.write(text);
      const reader = createInterface({ input: keys, output: NOWHERE, terminal: isHidden });
      try {
        return await reader.question('', { signal });
      } finally {
        reader.close();
      }
    }, !isHidden);
    if (isHidden) await this.#stderr.write('\n');
    return line;
  }

  #listOf({ title, listed, more }: Candidates): string {
    const indent = this.#stderr.isPlain ? '' : '  ';
    const rows = this.#rowsOf(listed).map((row) => `${indent}${row}\n`);
    return `${title}\n${rows.join('')}${more === undefined ? '' : `${more}\n`}`;
  }

  /** @returns one line per choice; drawn lines align their hints */
  #rowsOf(choices: readonly Choice[]): string[] {
    const names = choices.map(({ name }) => neutralise(name));
    const column = Math.min(MAX_NAME, Math.max(...names.map(({ length }) => length)));
    return choices.map(({ hint }, i) => {
      const name = names[i] ?? '';
      if (hint === undefined) return name;
      const lead = this.#stderr.isPlain ? `${name}: ` : `${name.padEnd(column)}  `;
      return `${lead}${neutralise(hint)}`;
    });
  }
}

/**
 * Lets only those digits through that number a row, because inquirer goes to the row of each digit: a card number typed
 * there would choose a test card. The Enter behind other digits is refused, and the list waits for the next keys.
 * Keys such as the arrows come as one piece that begins with an escape, and a paste with its Enter as one too.
 */
function rowKeys(rows: number, refuse: () => Promise<void>): Transform {
  let digits = '';
  return new Transform({
    async transform(piece: Buffer, _encoding, done) {
      const keys = piece.toString('latin1');
      const typed = /^\d|^[\r\n]$/.test(keys) ? digits + keys.trimEnd() : '';
      const hasEnter = /[\r\n]$/.test(keys);
      const isTaken = typed === '' || (/^\d+$/.test(typed) && +typed >= 1 && +typed <= rows);
      digits = hasEnter ? '' : typed;
      if (hasEnter && !isTaken) await refuse();
      done(null, isTaken ? piece : undefined);
    },
  });
}

function isCalled({ value, name }: Choice, typed: string): boolean {
  return [value, name].some((one) => one.toLowerCase() === typed.trim().toLowerCase());
}
