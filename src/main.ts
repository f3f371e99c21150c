/**
 * Runs oclif; the one place that prints an error and chooses the exit code.
 */
import { join } from 'node:path';
import { Config, run } from '@oclif/core';
import type { Context } from './cli/context.ts';
import { parseFailure } from './cli/parse-failure.ts';
import { unknownCommand } from './cli/unknown-command.ts';
import { EXIT_DEFECT, Failure } from './failure.ts';
import { createHost } from './host/create.ts';
import { guardOutput, Redactor } from './redaction/redact.ts';
import { renderError } from './view/errors.ts';

async function main(argv: readonly string[]): Promise<never> {
  const context = createContext();
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
  try {
    const options = { root: join(__dirname, '..'), context };
    const config = await Config.load(options);
    const unknown = unknownCommand(config, words);
    if (unknown) throw unknown;
    await run(words, config);
    return context.host.exit(0);
  } catch (error) {
    return context.host.exit(await report(context, words, error));
  }
}

/** Every output passes through the redactor, which learns the secrets of this run on the way. */
function createContext(): Context {
  const redactor = new Redactor();
  const host = createHost();
  const stdout = guardOutput(host.stdout, redactor);
  const stderr = guardOutput(host.stderr, redactor);
  // Not a spread: some of the host's properties are worked out when they are first used.
  return {
    redactor,
    host: Object.create(host, { stdout: { value: stdout }, stderr: { value: stderr } }),
  };
}

/** @returns the exit code */
async function report({ host }: Context, argv: readonly string[], error: unknown): Promise<number> {
  if (isHelpOrVersion(error)) return 0;
  const cause = error instanceof Failure ? error : (parseFailure(error) ?? error);
  const format = argv.some((word, i) => word === '--json' || isJsonOutput(word, argv[i + 1]))
    ? 'json'
    : undefined;
  await host.stderr.write(
    renderError(cause, { format, color: host.stderr.color, debug: argv.includes('--debug') }),
  );
  return cause instanceof Failure ? cause.exitCode : EXIT_DEFECT;
}

/** Read from argv and not from the flags, since parsing them may be what failed. */
function isJsonOutput(word: string, next: string | undefined): boolean {
  const value = /^(?:--output|-o)=?(.*)$/.exec(word)?.[1];
  return ['json', 'jsonl'].includes((value === '' ? next : value) ?? '');
}

/** oclif ends `--help` of a command by throwing an exit of 0. */
function isHelpOrVersion(error: unknown): boolean {
  const oclif = error instanceof Error && 'oclif' in error ? error.oclif : undefined;
  return typeof oclif === 'object' && oclif !== null && 'exit' in oclif && oclif.exit === 0;
}

void main(process.argv.slice(2));
