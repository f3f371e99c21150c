/** Turns what oclif throws for bad usage into a Failure of our own. */
import type { Interfaces } from '@oclif/core';
import { type Failure, usage } from '../failure.ts';
import { nearest } from './unknown-command.ts';

/**
 * @param error anything thrown while a command ran
 * @returns the failure, or undefined when it is not about usage
 */
export function parseFailure(error: unknown): Failure | undefined {
  if (!isParseError(error)) return undefined;
  const flags = Object.keys(error.parse?.input?.flags ?? {});
  const unknown = error.flags?.find((flag) => typeof flag === 'string');
  const guesses = unknown === undefined ? [] : nearest(unknown.replace(/^-+/, ''), flags);
  const message = error.message
    .replace(/\nSee more help with --help$/, '')
    .replace(/^Nonexistent flags?: (.*)$/, 'There is no flag $1 here.')
    .trim();
  return usage(
    message.endsWith('.') ? message : `${message}.`,
    guesses.length > 0
      ? `Did you mean ${guesses.map((flag) => `--${flag}`).join(' or ')}?`
      : 'Nothing was sent. Run the command with --help to see what it takes.',
    error,
  );
}

interface ParseError extends Error {
  parse?: { input?: { flags?: Interfaces.FlagInput } };
  flags?: readonly unknown[];
}

/** By shape: the class may come from another copy of oclif, in a plugin. */
function isParseError(error: unknown): error is ParseError {
  return error instanceof Error && 'parse' in error && 'oclif' in error;
}
