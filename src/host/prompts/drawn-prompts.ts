/**
 * Questions to a person, drawn by inquirer.
 *
 * They are drawn on stderr, since stdout carries records. What is typed at a hidden question is never
 * drawn: what stands for it is made by whoever asks.
 *
 * inquirer leaves two ends to deal with. Ctrl-C arrives as its own error. Ctrl-D on an empty line,
 * or the end of the input, closes the line reader and nothing else: the question would never settle.
 * The reader pauses its input when it closes, so a pause before there is an answer is such an end.
 */
import type { Readable } from 'node:stream';
import { cancelled } from '../../failure.ts';
import type { Check, Choice, Prompts } from '../host.ts';
import { Keys } from '../terminal/keys.ts';
import { checkYesOrNo, fitting, isYes, maskDigits } from './choices.ts';
import { TypedKeys } from './typed-keys.ts';

type Question =
  | {
      type: 'input';
      message: string;
      default?: string;
      validate?: Check;
      transformer?: (value: string, state: { isFinal: boolean }) => string;
      theme?: typeof STARTS_AGAIN;
    }
  | {
      type: 'search';
      message: string;
      pageSize: number;
      source: (typed: string | undefined) => { value: string; name: string; short: string }[];
      theme: { style: { keysHelpTip: () => string; searchTerm?: (typed: string) => string } };
    };

const MAX_CHOICES = 10;
/** The question above a list, the keys below it, and the lines that keep them apart. */
const BESIDE_CHOICES = 4;

/** A refused answer is taken away. */
const STARTS_AGAIN = { validationFailureMode: 'clear' } as const;

const KEYS = 'Type to filter, ↑↓ to choose, Enter to take it.';

/** The longest name that hints are set in line with. */
const MAX_NAME = 40;

/** @param interrupted takes a question back */
export function createDrawnPrompts(interrupted: AbortSignal): Prompts {
  const shownKeys = new Keys(process.stdin);
  const typedKeys = new TypedKeys(process.stdin);
  const asked = (question: Question, isConfirmation?: boolean) =>
    shownKeys.hiddenWhile(() =>
      typedKeys.answered((keys) => ask(question, keys, interrupted), isConfirmation),
    );
  return {
    async text(message, { initial, check, shown, startsAgain, isConfirmation } = {}) {
      const question: Question = {
        type: 'input',
        message,
        ...(initial === undefined ? {} : { default: initial }),
        ...(check ? { validate: check } : {}),
        ...(startsAgain ? { theme: STARTS_AGAIN } : {}),
        ...(shown
          ? {
              transformer: (value, { isFinal }) => (isFinal && value !== '' ? shown(value) : value),
            }
          : {}),
      };
      return String(await asked(question, isConfirmation));
    },
    async hidden(message, { check, shown = () => '' } = {}) {
      const answer = await asked({
        type: 'input',
        message,
        ...(check ? { validate: check } : {}),
        transformer: shown,
        theme: STARTS_AGAIN,
      });
      return String(answer);
    },
    async choose(message, choices, options = {}) {
      const answer = await asked({
        type: 'search',
        message,
        pageSize: choicesAtOnce(),
        source: (typed = '') => listed(fitting(choices, typed, options)),
        theme: {
          style: {
            keysHelpTip: () => KEYS,
            ...(options.hidesDigits ? { searchTerm: maskDigits } : {}),
          },
        },
      });
      return String(answer);
    },
    async confirm(message, initial) {
      const question: Question = {
        type: 'input',
        message: `${message} (${initial ? 'Y/n' : 'y/N'})`,
        validate: checkYesOrNo,
        transformer: (value, { isFinal }) =>
          isFinal ? (isYes(value, initial) ? 'Yes' : 'No') : value,
        theme: STARTS_AGAIN,
      };
      return isYes(String(await asked(question, true)), initial);
    },
  };
}

/** @returns as many as a window shows together with their question, which scrolls away otherwise at each key */
function choicesAtOnce(): number {
  const { rows = Number.POSITIVE_INFINITY } = process.stderr;
  return rows > 0 ? Math.max(1, Math.min(MAX_CHOICES, rows - BESIDE_CHOICES)) : MAX_CHOICES;
}

/** @returns the choices as inquirer takes them; hints are in line where each character of a name has one cell */
function listed(choices: readonly Choice[]) {
  const names = choices.map(({ name }) => name);
  const isPlain = names.every((name) => /^[\x20-\x7e]*$/.test(name));
  const column = isPlain
    ? Math.min(MAX_NAME, Math.max(0, ...names.map(({ length }) => length)))
    : 0;
  return choices.map(({ value, name, hint }) => ({
    value,
    name: hint === undefined ? name : `${name.padEnd(column)}  ${hint}`,
    short: name,
  }));
}

async function ask(question: Question, keys: Readable, interrupted: AbortSignal): Promise<unknown> {
  const { createPromptModule } = await import('inquirer');
  const ended = new AbortController();
  const prompt = createPromptModule({
    input: keys,
    output: process.stderr,
    signal: AbortSignal.any([interrupted, ended.signal]),
  });
  const end = () => ended.abort();
  keys.once('pause', end);
  keys.on('keypress', (_: unknown, key?: { name?: string }) => {
    if (key?.name === 'escape') end();
  });
  try {
    const answers: Record<string, unknown> = await prompt({ ...question, name: 'answer' });
    return answers.answer;
  } catch (error) {
    const names = ['ExitPromptError', 'AbortPromptError'];
    const isEnd = error instanceof Error && names.includes(error.name);
    if (isEnd || interrupted.aborted) throw cancelled('Nothing was sent.', error);
    throw error;
  }
}
