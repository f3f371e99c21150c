/**
 * Questions to a person, by inquirer, which is loaded with the first one.
 *
 * They are drawn on stderr, since stdout carries records. What is typed at a hidden question is not
 * drawn at all, neither as characters nor as their number.
 *
 * inquirer leaves two ends to deal with. Ctrl-C arrives as its own error. Ctrl-D on an empty line,
 * or the end of the input, closes the line reader and nothing else: the question would never settle.
 * The reader pauses the input when it closes, so a pause before there is an answer is such an end.
 */

import type { Prompts } from './host.ts';
import { interruption } from './signals.ts';

type Check = (value: string) => string | true;
type Question =
  | { type: 'input'; message: string; default?: string; validate?: Check }
  | { type: 'password'; message: string; validate?: Check }
  | { type: 'confirm'; message: string; default: boolean };

/** @param interrupted takes a question back */
export function createPrompts(interrupted: AbortSignal): Prompts {
  return {
    async text(message, { initial, check } = {}) {
      return String(
        await ask(interrupted, {
          type: 'input',
          message,
          ...(initial === undefined ? {} : { default: initial }),
          ...(check ? { validate: check } : {}),
        }),
      );
    },
    async hidden(message, { check } = {}) {
      const validate = check ? { validate: check } : {};
      return String(await ask(interrupted, { type: 'password', message, ...validate }));
    },
    async confirm(message, initial) {
      return (await ask(interrupted, { type: 'confirm', message, default: initial })) === true;
    },
  };
}

async function ask(interrupted: AbortSignal, question: Question): Promise<unknown> {
  const { createPromptModule } = await import('inquirer');
  const input = process.stdin;
  const ended = new AbortController();
  const prompt = createPromptModule({
    input,
    output: process.stderr,
    signal: AbortSignal.any([interrupted, ended.signal]),
  });
  const end = () => ended.abort();
  input.once('pause', end);
  try {
    const answers: Record<string, unknown> = await prompt({ ...question, name: 'answer' });
    return answers.answer;
  } catch (error) {
    if (interrupted.aborted) throw interrupted.reason;
    const names = ['ExitPromptError', 'AbortPromptError'];
    if (error instanceof Error && names.includes(error.name)) throw interruption(error);
    throw error;
  } finally {
    input.removeListener('pause', end);
  }
}
