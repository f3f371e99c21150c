/**
 * Questions for a screen reader, or a terminal that cannot draw anything again: a line of words, and an
 * answer on a line. The terminal itself shows and corrects what is typed. From before a hidden question is
 * said it shows nothing, since somebody may type as soon as they read it, and a program types the next
 * answer at once; what stands for the answer is said when it is complete.
 */
import type { Readable } from 'node:stream';
import { cancelled } from '../../failure.ts';
import type {
  Choice,
  ChooseOptions,
  HiddenOptions,
  Output,
  Prompts,
  TextOptions,
} from '../host.ts';
import { Keys } from '../terminal/keys.ts';
import { checkYesOrNo, fitting, isCalled, isYes } from './choices.ts';
import { TypedKeys } from './typed-keys.ts';

/** Choices that are read out at once. */
const MOST_LISTED = 20;
const NUMBER = /^\d{1,3}$/;

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACES = new Set(['\u007f', '\b']);
const LINE_END = /[\r\n]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what keys such as the arrows send begins with one
const ARROWS = /\u001b(?:\[[\d;]*[A-Za-z~]|O[A-Z])/g;

interface Question extends Omit<TextOptions, 'startsAgain'> {
  isHidden?: boolean | undefined;
}

export class PlainPrompts implements Prompts {
  readonly #stderr: Pick<Output, 'write'>;
  readonly #interrupted: AbortSignal;
  readonly #shownKeys: Keys;
  readonly #typedKeys: TypedKeys;

  /** @param stdin a terminal. @param interrupted takes a question back */
  constructor(stdin: NodeJS.ReadStream, stderr: Pick<Output, 'write'>, interrupted: AbortSignal) {
    this.#stderr = stderr;
    this.#interrupted = interrupted;
    this.#shownKeys = new Keys(stdin);
    this.#typedKeys = new TypedKeys(stdin);
  }

  text(question: string, options: TextOptions = {}): Promise<string> {
    const { initial } = options;
    return this.#ask(initial ? `${question} (empty for ${initial})` : question, options);
  }

  hidden(question: string, options: HiddenOptions = {}): Promise<string> {
    return this.#ask(question, { ...options, isHidden: true });
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
      const manner = { isHidden: options.hidesDigits };
      const typed = (await this.#hear(`${before}${wanted}`, manner)).trim();
      // A number counts what has been read.
      const isEarly = this.#typedKeys.wasAhead && NUMBER.test(typed);
      const picked = isEarly
        ? { found: [] }
        : pickedOf(typed, listed, fitting(choices, typed, options));
      if ('value' in picked) {
        await this.#stderr.write(`${picked.name}\n`);
        return picked.value;
      }
      this.#typedKeys.refuse();
      if (picked.found.length > 0) listed = picked.found;
      before = picked.found.length === 0 ? 'No match.\n' : numbered(listed);
    }
  }

  async confirm(question: string, initial: boolean): Promise<boolean> {
    const asked = `${question} (y or n, empty for ${initial ? 'y' : 'n'})`;
    const answer = await this.#ask(asked, { check: checkYesOrNo, isConfirmation: true });
    return isYes(answer, initial);
  }

  /** Asks until an answer is taken, each time with what is wrong with the one before. */
  async #ask(asked: string, question: Question): Promise<string> {
    const { initial = '', check = () => true, shown = () => '' } = question;
    let before = '';
    for (;;) {
      const answer = (await this.#hear(`${before}${asked} `, question)) || initial;
      const verdict = check(answer);
      if (verdict !== true) {
        this.#typedKeys.refuse();
        before = `${verdict}.\n`;
        continue;
      }
      const text = answer === '' ? '' : shown(answer);
      if (text !== '') await this.#stderr.write(`${text}\n`);
      return answer;
    }
  }

  /** Says a question. @returns the line that is typed then */
  async #hear(text: string, { isHidden, isConfirmation }: Question): Promise<string> {
    const ask = async (keys: Readable) => {
      await this.#stderr.write(text);
      return lineOf(keys, this.#interrupted);
    };
    const hear = () => this.#typedKeys.answered(ask, isConfirmation);
    if (!isHidden) {
      this.#shownKeys.show();
      return hear();
    }
    const typed = await this.#shownKeys.hiddenWhile(hear);
    await this.#stderr.write('\n');
    return typed;
  }
}

/**
 * @param found those that the text fits, as `fitting`
 * @returns the one that is meant, or those that may be
 */
function pickedOf(
  typed: string,
  listed: readonly Choice[],
  found: readonly Choice[],
): Choice | { found: readonly Choice[] } {
  const [first] = found;
  const isMeant = typed !== '' && first && (found.length === 1 || isCalled(first, typed));
  const ofNumber = NUMBER.test(typed) ? listed.slice(0, MOST_LISTED)[Number(typed) - 1] : undefined;
  return ofNumber ?? (isMeant ? first : { found });
}

function numbered(choices: readonly Choice[]): string {
  const lines = choices
    .slice(0, MOST_LISTED)
    .map(({ name, hint }, i) => `${i + 1}. ${name}${hint === undefined ? '' : `: ${hint}`}\n`);
  const rest = choices.length - lines.length;
  return lines.join('') + (rest > 0 ? `And ${rest} more.\n` : '');
}

/** @returns what is typed up to an Enter. @throws Failure interrupted when it is taken back */
function lineOf(keys: Readable, interrupted: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = '';
    const settle = (end: () => void) => {
      keys.removeListener('data', take);
      interrupted.removeEventListener('abort', cancel);
      end();
    };
    const cancel = () => settle(() => reject(cancelled('Nothing was sent.')));
    const take = (bytes: Buffer) => {
      const [typed = '', ...rest] = bytes.toString().replace(ARROWS, '').split(LINE_END);
      const isOver = typed.includes(CTRL_C) || (typed.startsWith(CTRL_D) && line === '');
      line = withKeys(line, typed);
      if (isOver) cancel();
      else if (rest.length > 0) settle(() => resolve(line));
    };
    keys.on('data', take).once('end', cancel);
    interrupted.addEventListener('abort', cancel, { once: true });
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
