/**
 * Questions for a screen reader, or a terminal that cannot draw anything again: a line of words, and an
 * answer on a line. The terminal itself shows and corrects what is typed. From before a hidden question is
 * said it shows nothing, since somebody may type as soon as they read it, and a program types the next
 * answer at once; what stands for the answer is said when it is complete.
 */
import type { Readable } from 'node:stream';
import { cancelled } from '../../failure.ts';
import type { Check, Choice, ChooseOptions, Output, Prompts } from '../host.ts';
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

/** @param interrupted takes a question back */
export function createPlainPrompts(
  stdin: NodeJS.ReadStream,
  stderr: Pick<Output, 'write'>,
  interrupted: AbortSignal,
): Prompts {
  const shownKeys = new Keys(stdin);
  const typedKeys = new TypedKeys(stdin);
  return new PlainPrompts({
    typedKeys,
    say: (text) => stderr.write(text),
    async hear(question, { isHidden = false, isConfirmation = false }) {
      const ask = async (keys: Readable) => {
        await stderr.write(question);
        return lineOf(keys, interrupted);
      };
      const hear = () => typedKeys.answered(ask, isConfirmation);
      if (isHidden) return shownKeys.hiddenWhile(hear);
      shownKeys.show();
      return hear();
    },
  });
}

interface Manner {
  isHidden?: boolean | undefined;
  isConfirmation?: boolean | undefined;
}

interface Talk {
  typedKeys: Pick<TypedKeys, 'refuse' | 'wasAhead'>;
  say: (text: string) => Promise<void>;
  /** Says a question, and returns the line that is typed then. */
  hear: (question: string, manner: Manner) => Promise<string>;
}

class PlainPrompts implements Prompts {
  readonly #talk: Talk;

  constructor(talk: Talk) {
    this.#talk = talk;
  }

  async text(
    question: string,
    {
      initial = '',
      check,
      shown,
      isConfirmation,
    }: NonNullable<Parameters<Prompts['text']>[1]> = {},
  ): Promise<string> {
    const asked = initial === '' ? question : `${question} (empty for ${initial})`;
    const answer = await this.#ask(async (before) => {
      return (await this.#hear(`${before}${asked} `, { isConfirmation })) || initial;
    }, check);
    return this.#read(answer, shown);
  }

  async hidden(
    question: string,
    { check, shown }: NonNullable<Parameters<Prompts['hidden']>[1]> = {},
  ): Promise<string> {
    const answer = await this.#ask(
      (before) => this.#hear(`${before}${question} `, { isHidden: true }),
      check,
    );
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
      const manner = { isHidden: options.hidesDigits };
      const typed = (await this.#hear(`${before}${wanted}`, manner)).trim();
      // A number counts what has been read.
      const isEarly = this.#talk.typedKeys.wasAhead && NUMBER.test(typed);
      const picked = isEarly
        ? { found: [] }
        : pickedOf(typed, listed, fitting(choices, typed, options));
      if ('value' in picked) {
        await this.#talk.say(`${picked.name}\n`);
        return picked.value;
      }
      this.#talk.typedKeys.refuse();
      if (picked.found.length > 0) listed = picked.found;
      before = picked.found.length === 0 ? 'No match.\n' : numbered(listed);
    }
  }

  async confirm(question: string, initial: boolean): Promise<boolean> {
    const asked = `${question} (y or n, empty for ${initial ? 'y' : 'n'})`;
    const hear = (before: string) => this.#hear(`${before}${asked} `, { isConfirmation: true });
    const answer = await this.#ask(hear, checkYesOrNo);
    return isYes(answer, initial);
  }

  /** @param hear asks once, and begins with what is wrong with the answer before */
  async #ask(hear: (before: string) => Promise<string>, check?: Check): Promise<string> {
    let before = '';
    for (;;) {
      const answer = await hear(before);
      const verdict = check ? check(answer) : true;
      if (verdict === true) return answer;
      this.#talk.typedKeys.refuse();
      before = `${verdict}.\n`;
    }
  }

  async #hear(question: string, manner: Manner): Promise<string> {
    const typed = await this.#talk.hear(question, manner);
    if (manner.isHidden) await this.#talk.say('\n');
    return typed;
  }

  async #read(answer: string, shown: (value: string) => string = () => ''): Promise<string> {
    const text = answer === '' ? '' : shown(answer);
    if (text !== '') await this.#talk.say(`${text}\n`);
    return answer;
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
