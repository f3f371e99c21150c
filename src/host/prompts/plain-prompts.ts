/**
 * Questions for a screen reader, or a terminal that cannot draw anything again: a line of words, and an answer on a
 * line. The terminal itself shows and corrects what is typed, unless it is hidden.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Candidates, Choice, HiddenOptions, Output, Prompts, TextOptions } from '../host.ts';
import { neutralise } from '../redaction/safe.ts';
import { Keys } from '../terminal/keys.ts';
import { checkYesOrNo, isYes } from './yes-or-no.ts';

/** Takes the text that `readline` would draw. */
const NOWHERE = new Writable({ write: (_chunk, _encoding, done) => done() });

// biome-ignore lint/suspicious/noControlCharactersInRegex: what keys such as the arrows send begins with one
const CONTROL = /[\u0000-\u001f]/;

interface Asked extends Omit<TextOptions, 'candidates'> {
  /** Whole lines above the question. */
  above?: string | undefined;
  isHidden?: true;
}

export class PlainPrompts implements Prompts {
  readonly #stderr: Pick<Output, 'write'>;
  readonly #keyboard: Keys;

  /** @param stdin a terminal. @param interrupted takes a question back */
  constructor(stdin: NodeJS.ReadStream, stderr: Pick<Output, 'write'>, interrupted: AbortSignal) {
    this.#stderr = stderr;
    this.#keyboard = new Keys(stdin, interrupted);
  }

  text(question: string, options: TextOptions = {}): Promise<string> {
    const { initial, candidates } = options;
    const asked = initial ? `${question} (empty for ${initial})` : question;
    return this.#ask(asked, { ...options, above: candidates && listOf(candidates) });
  }

  hidden(question: string, options: HiddenOptions = {}): Promise<string> {
    return this.#ask(question, { ...options, isHidden: true });
  }

  async select(question: string, choices: readonly Choice[]): Promise<string> {
    const lines = choices.map((choice, i) => `${i + 1}. ${lineOf(choice)}`);
    const picked = (typed: string) =>
      choices[Number(typed) - 1] ?? choices.find((choice) => isCalled(choice, typed));
    const answer = await this.#ask('Number or name:', {
      above: `${question}\n${lines.join('')}`,
      check: (typed) =>
        picked(typed) !== undefined || `Type a number from 1 to ${choices.length}, or a name`,
      shown: (typed) => picked(typed)?.name ?? '',
    });
    return picked(answer)?.value ?? '';
  }

  async confirm(question: string): Promise<boolean> {
    return isYes(await this.#ask(`${question} (y/n)`, { check: checkYesOrNo }));
  }

  /** Asks until an answer is taken, each time with what is wrong with the one before. */
  async #ask(question: string, options: Asked): Promise<string> {
    const { initial = '', check = () => true, shown = () => '', isHidden = false } = options;
    for (let before = options.above ?? ''; ; ) {
      const answer = (await this.#lineAfter(`${before}${question} `, isHidden)) || initial;
      const verdict = CONTROL.test(answer) ? 'Type text alone, without arrow keys' : check(answer);
      if (verdict === true) {
        const text = answer === '' ? '' : shown(answer);
        if (text !== '') await this.#stderr.write(`${text}\n`);
        return answer;
      }
      before = `${verdict}.\n`;
    }
  }

  async #lineAfter(text: string, isHidden: boolean): Promise<string> {
    const line = await this.#keyboard.answer(
      async ({ keys, takenBack }) => {
        await this.#stderr.write(text);
        const reader = createInterface({ input: keys, output: NOWHERE, terminal: isHidden });
        reader.once('close', () => takenBack.abort());
        try {
          return await reader.question('', { signal: takenBack.signal });
        } finally {
          reader.close();
        }
      },
      { isEchoed: !isHidden },
    );
    if (isHidden) await this.#stderr.write('\n');
    return line;
  }
}

function listOf({ title, listed, more }: Candidates): string {
  return `${title}\n${listed.map(lineOf).join('')}${more === undefined ? '' : `${more}\n`}`;
}

function lineOf({ name, hint }: Choice): string {
  return `${neutralise(hint === undefined ? name : `${name}: ${hint}`)}\n`;
}

function isCalled({ value, name }: Choice, typed: string): boolean {
  return [value, name].some((one) => one.toLowerCase() === typed.trim().toLowerCase());
}
