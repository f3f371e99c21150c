/**
 * Questions for a screen reader, or a terminal that cannot draw anything again: a line of words, and an
 * answer on a line. The terminal itself shows and corrects what is typed. From before a hidden question is
 * said it shows nothing, since somebody may type as soon as they read it, and a program types the next
 * answer at once; what stands for the answer is said when it is complete.
 */
import { createInterface } from 'node:readline';
import { cancelled } from '../failure.ts';
import { fitting } from './choices.ts';
import type { Check, Choice, ChooseOptions, Output, Prompts } from './host.ts';
import { Keys } from './keys.ts';
import { checkYesOrNo, isYes } from './yes-or-no.ts';

/** Choices that are read out at once. */
const MOST_LISTED = 20;

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACES = new Set(['\u007f', '\b']);
const LINE_END = /[\r\n]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what keys such as the arrows send begins with one
const ARROWS = /\u001b(?:\[[\d;]*[A-Za-z~]|O[A-Z])/g;

type Stdin = NodeJS.ReadStream;

/** @param interrupted takes a question back */
export function createPlainPrompts(
  stdin: Stdin,
  stderr: Pick<Output, 'write'>,
  interrupted: AbortSignal,
): Prompts {
  const keys = new Keys(stdin);
  return new PlainPrompts({
    say: (text) => stderr.write(text),
    async readLine(sayQuestion) {
      keys.show();
      await sayQuestion();
      return nextLine(stdin, interrupted);
    },
    readHidden: (sayQuestion) =>
      keys.hiddenWhile(async () => {
        await sayQuestion();
        try {
          return await rawLine(stdin, interrupted);
        } finally {
          stdin.pause();
        }
      }),
  });
}

interface Talk {
  say: (text: string) => Promise<void>;
  /** @param sayQuestion is called when the terminal shows keys */
  readLine: (sayQuestion: () => Promise<void>) => Promise<string>;
  /** @param sayQuestion is called when the terminal shows no key any more */
  readHidden: (sayQuestion: () => Promise<void>) => Promise<string>;
}

class PlainPrompts implements Prompts {
  readonly #talk: Talk;

  constructor(talk: Talk) {
    this.#talk = talk;
  }

  async text(
    question: string,
    { initial = '', check, shown }: NonNullable<Parameters<Prompts['text']>[1]> = {},
  ): Promise<string> {
    const asked = initial === '' ? question : `${question} (empty for ${initial})`;
    const answer = await this.#ask(async (before) => {
      return (await this.#hear(`${before}${asked} `)) || initial;
    }, check);
    return this.#read(answer, shown);
  }

  async hidden(
    question: string,
    { check, shown }: NonNullable<Parameters<Prompts['hidden']>[1]> = {},
  ): Promise<string> {
    const answer = await this.#ask((before) => this.#hear(`${before}${question} `, true), check);
    return this.#read(answer, shown);
  }

  async choose(
    question: string,
    choices: readonly Choice[],
    options: ChooseOptions = {},
  ): Promise<string> {
    const wanted = options.other ? 'Number, or your own words: ' : 'Number, or words to look for: ';
    let listed = choices;
    let before = `${question}\n${numbered(listed)}`;
    for (;;) {
      const typed = (await this.#hear(`${before}${wanted}`, options.hidesDigits)).trim();
      const picked = pickedOf(typed, listed, fitting(choices, typed, options));
      if ('value' in picked) return picked.value;
      if (picked.found.length > 0) listed = picked.found;
      before = picked.found.length === 0 ? 'No match.\n' : numbered(listed);
    }
  }

  async confirm(question: string, initial: boolean): Promise<boolean> {
    const asked = `${question} (y or n, empty for ${initial ? 'y' : 'n'})`;
    const answer = await this.#ask((before) => this.#hear(`${before}${asked} `), checkYesOrNo);
    return isYes(answer, initial);
  }

  /** @param hear asks once, and begins with what is wrong with the answer before */
  async #ask(hear: (before: string) => Promise<string>, check?: Check): Promise<string> {
    let before = '';
    for (;;) {
      const answer = await hear(before);
      const verdict = check ? await check(answer) : true;
      if (verdict === true) return answer;
      before = `${verdict}.\n`;
    }
  }

  async #hear(question: string, isHidden = false): Promise<string> {
    const sayQuestion = () => this.#talk.say(question);
    if (!isHidden) return this.#talk.readLine(sayQuestion);
    const typed = await this.#talk.readHidden(sayQuestion);
    await this.#talk.say('\n');
    return typed;
  }

  async #read(answer: string, shown: (value: string) => string = () => ''): Promise<string> {
    const text = answer === '' ? '' : shown(answer);
    if (text !== '') await this.#talk.say(`${text}\n`);
    return answer;
  }
}

/** @returns the one that is meant, or those that may be */
function pickedOf(
  typed: string,
  listed: readonly Choice[],
  found: readonly Choice[],
): Choice | { found: readonly Choice[] } {
  const numbered = /^\d{1,3}$/.test(typed) ? listed[Number(typed) - 1] : undefined;
  const [first] = found;
  const isOne = typed !== '' && found.length === 1;
  return numbered ?? (first && isOne ? first : { found });
}

function numbered(choices: readonly Choice[]): string {
  const lines = choices
    .slice(0, MOST_LISTED)
    .map(({ name, hint }, i) => `${i + 1}. ${name}${hint === undefined ? '' : `: ${hint}`}\n`);
  const rest = choices.length - lines.length;
  return lines.join('') + (rest > 0 ? `And ${rest} more.\n` : '');
}

/** @returns a line that the terminal has shown. @throws Failure interrupted when it is taken back */
function nextLine(stdin: Stdin, interrupted: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = createInterface({ input: stdin, terminal: false });
    const cancel = () => reader.close();
    let line: string | undefined;
    reader.once('line', (text) => {
      line = text;
      reader.close();
    });
    reader.once('close', () => {
      interrupted.removeEventListener('abort', cancel);
      if (line === undefined) reject(cancelled('Nothing was sent.'));
      else resolve(line);
    });
    interrupted.addEventListener('abort', cancel, { once: true });
  });
}

/** As `nextLine`, of what the terminal does not show. */
function rawLine(stdin: Stdin, interrupted: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = '';
    const settle = (end: () => void) => {
      stdin.removeListener('data', take);
      stdin.removeListener('end', cancel);
      interrupted.removeEventListener('abort', cancel);
      end();
    };
    const cancel = () => settle(() => reject(cancelled('Nothing was sent.')));
    const take = (bytes: Buffer | string) => {
      const [keys = '', ...rest] = bytes.toString().replace(ARROWS, '').split(LINE_END);
      const isOver = keys.includes(CTRL_C) || (keys.startsWith(CTRL_D) && typed === '');
      typed = withKeys(typed, keys);
      if (isOver) cancel();
      else if (rest.length > 0) settle(() => resolve(typed));
    };
    stdin.on('data', take);
    stdin.once('end', cancel);
    interrupted.addEventListener('abort', cancel, { once: true });
    stdin.resume();
  });
}

function withKeys(typed: string, keys: string): string {
  const left = [...typed];
  for (const key of keys) {
    if (BACKSPACES.has(key)) left.pop();
    else if (key >= ' ') left.push(key);
  }
  return left.join('');
}
