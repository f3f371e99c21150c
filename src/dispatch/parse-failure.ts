/** Turns what oclif throws for bad usage into a Failure of our own, in our own words. */
import type { Interfaces } from '@oclif/core';
import { type Failure, usage } from '../failure.ts';
import { nearest } from './unknown-command.ts';

/**
 * @param error anything thrown while a command ran
 * @returns the failure, or undefined when it is not about usage
 */
export function parseFailure(error: unknown): Failure | undefined {
  if (!isParseError(error)) return undefined;
  const known = Object.keys(error.parse?.input?.flags ?? {});
  const unknown = error.flags?.find((flag) => typeof flag === 'string');
  const guesses = unknown === undefined ? [] : nearest(unknown.replace(/^-+/, ''), known);
  const { code, message } = mistakeOf(error);
  return usage(
    code,
    message.endsWith('.') ? message : `${message}.`,
    guesses.length > 0
      ? `Did you mean ${guesses.map((flag) => `--${flag}`).join(' or ')}?`
      : 'Nothing was sent. Run the command with --help to see what it takes.',
    error,
  );
}

/** What oclif says, what it is, and how we say it. */
const MISTAKES: readonly [said: RegExp, code: string, words: string][] = [
  [/^Nonexistent flags?: (.*)$/, 'flag-unknown', 'There is no flag $1 here.'],
  [/^Missing required flag (.*)$/, 'flag-missing', 'Missing: --$1.'],
  [
    /^(--[\w-]+)(?:=.*)? cannot also be provided when using (--[\w-]+).*/s,
    'flags-exclusive',
    '$1 and $2 cannot be used together.',
  ],
  [/^Unexpected argument/, 'argument-unexpected', '$&'],
];

function mistakeOf(error: ParseError): { code: string; message: string } {
  const missing = error.args?.filter((arg) => typeof arg === 'object') ?? [];
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name.toUpperCase());
    return { code: 'argument-missing', message: `Missing: ${names.join(', ')}.` };
  }
  const text = error.message
    .replace(/\nSee more help with --help$/, '')
    .replace(/^The following errors? occurred:\s*/, '')
    .trim();
  const [said, code, words] = MISTAKES.find(([pattern]) => pattern.test(text)) ?? [];
  if (!said || !code || !words) return { code: 'flag-invalid', message: text };
  return { code, message: text.replace(said, words) };
}

interface ParseError extends Error {
  parse?: { input?: { flags?: Interfaces.FlagInput } };
  flags?: readonly unknown[];
  /** Names of arguments there are too many of, or descriptions of those that are missing. */
  args?: readonly (string | { name: string })[];
}

/** By shape: the class may come from another copy of oclif, in a plugin. */
function isParseError(error: unknown): error is ParseError {
  return error instanceof Error && 'oclif' in error;
}
