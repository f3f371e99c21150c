/**
 * Questions to a person, drawn by inquirer on stderr, since stdout carries records.
 *
 * inquirer's `confirm` takes an Enter, and any word that begins with y, for a yes, and its `password` keeps a refused
 * secret that nobody can see to correct. So yes or no is an `input` that is checked, and a secret is one that draws
 * asterisks.
 *
 * inquirer leaves two ends to deal with: Escape, and Ctrl-D on an empty line. The latter, like the end of the input,
 * closes the line reader and nothing else: the question would never settle. The reader pauses its input when it
 * closes, so a pause is such an end.
 */
import type { Candidates, Check, Choice, Output, Prompts } from '../host.ts';
import { neutralise } from '../redaction/safe.ts';
import { Keys, type Typed } from '../terminal/keys.ts';
import { checkYesOrNo, isYes } from './yes-or-no.ts';

type Question =
  | {
      type: 'input';
      message: string;
      default?: string;
      validate: (value: string) => Promise<string | true>;
      transformer: Transformer;
      theme: { validationFailureMode: 'clear' };
    }
  | {
      type: 'select';
      message: string;
      choices: { value: string; name: string; short: string }[];
      loop: false;
    };

/** @returns what is drawn for what is typed, or was */
type Transformer = (value: string, state: { isFinal: boolean }) => string;

interface Input {
  candidates?: Candidates | undefined;
  initial?: string | undefined;
  check?: Check | undefined;
  transformer: Transformer;
}

/** The longest name that hints are set in line with. */
const MAX_NAME = 40;

/** @param interrupted takes a question back */
export async function createDrawnPrompts(
  stderr: Pick<Output, 'write'>,
  interrupted: AbortSignal,
): Promise<Prompts> {
  const { createPromptModule } = await import('inquirer');
  const keyboard = new Keys(process.stdin, interrupted);

  const ask = (questionOf: (drop: Typed['drop']) => Question, above = '') =>
    keyboard.answer(async ({ keys, takenBack, drop }) => {
      keys.once('pause', () => takenBack.abort());
      keys.on('keypress', (_: unknown, key?: { name?: string }) => {
        if (key?.name === 'escape') takenBack.abort();
      });
      const prompt = createPromptModule({
        input: keys,
        output: process.stderr,
        signal: takenBack.signal,
      });
      if (above !== '') await stderr.write(above);
      const answers = await prompt<{ answer: string }>([{ ...questionOf(drop), name: 'answer' }]);
      return String(answers.answer);
    });

  const input = (
    message: string,
    { candidates, initial, check = () => true, transformer }: Input,
  ) =>
    ask(
      (drop) => ({
        type: 'input',
        message,
        ...(initial === undefined ? {} : { default: initial }),
        transformer,
        async validate(value: string) {
          const verdict = check(value);
          if (verdict !== true) await drop();
          return verdict;
        },
        theme: { validationFailureMode: 'clear' },
      }),
      candidates && tableOf(candidates),
    );

  return {
    text: (message, { shown = (typed: string) => typed, ...options } = {}) =>
      input(message, {
        ...options,
        transformer: (value, { isFinal }) => (isFinal && value !== '' ? shown(value) : value),
      }),
    hidden: (message, { check } = {}) =>
      input(message, { check, transformer: (value) => '*'.repeat(value.length) }),
    select: (message, choices) =>
      ask(() => ({ type: 'select', message, choices: listed(choices), loop: false })),
    async confirm(message) {
      const answer = await input(`${message} (y/n)`, {
        check: checkYesOrNo,
        transformer: (value, { isFinal }) => (isFinal ? (isYes(value) ? 'Yes' : 'No') : value),
      });
      return isYes(answer);
    },
  };
}

function tableOf({ title, listed, more }: Candidates): string {
  const rows = rowsOf(listed).map((row) => `  ${row}\n`);
  return `${title}\n${rows.join('')}${more === undefined ? '' : `${more}\n`}`;
}

/** @returns the choices as inquirer takes them */
function listed(choices: readonly Choice[]) {
  const rows = rowsOf(choices);
  return choices.map(({ value, name }, i) => ({
    value,
    name: rows[i] ?? '',
    short: neutralise(name),
  }));
}

/** @returns a line for each; hints are in line where each character of a name has one cell */
function rowsOf(choices: readonly Choice[]): string[] {
  const names = choices.map(({ name }) => neutralise(name));
  const isPlain = names.every((name) => /^[\x20-\x7e]*$/.test(name));
  const column = isPlain ? Math.min(MAX_NAME, Math.max(...names.map(({ length }) => length))) : 0;
  return choices.map(({ hint }, i) => {
    const name = names[i] ?? '';
    return hint === undefined ? name : `${name.padEnd(column)}  ${neutralise(hint)}`;
  });
}
