/**
 * Runs gw; the one place that prints an error and chooses the exit code.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from './cli/context.ts';
import { EXIT_DEFECT, Failure } from './failure.ts';
import { type CommandEntry, fastPath } from './fast-path.ts';
import { createHost } from './host/create.ts';
import { guardOutput, Redactor } from './redaction/redact.ts';

const ROOT = join(__dirname, '..');

async function main(argv: readonly string[]): Promise<never> {
  const context = createContext();
  const { host } = context;
  try {
    const fast = host.env.GW_FAST_PATH === 'off' ? undefined : fastPath(argv, readManifest);
    if (fast) await fast.program(context, fast.args, fast.flags);
    else await (await import('./oclif.ts')).runOclif(context, argv, ROOT);
    return host.exit(0);
  } catch (error) {
    return host.exit(await report(context, argv, error));
  }
}

function readManifest(id: string): CommandEntry | undefined {
  return JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')).commands[id];
}

/** Every output passes through the redactor, which learns the secrets of this run on the way. */
function createContext(): Context {
  const redactor = new Redactor();
  const host = createHost();
  const stdout = guardOutput(host.stdout, redactor);
  const stderr = guardOutput(host.stderr, redactor);
  // Not a spread: some of the host's properties are worked out when they are first used.
  const guarded = { stdout: { value: stdout }, stderr: { value: stderr } };
  return { redactor, host: Object.create(host, guarded) };
}

/** @returns the exit code */
async function report({ host }: Context, argv: readonly string[], error: unknown): Promise<number> {
  if (isHelpOrVersion(error)) return 0;
  const cause = error instanceof Failure ? error : await usageFailure(error);
  const { renderError } = await import('./view/errors.ts');
  const { color } = host.stderr;
  const format = wantsJson(argv) ? 'json' : undefined;
  await host.stderr.write(renderError(cause, { format, color, debug: argv.includes('--debug') }));
  return cause instanceof Failure ? cause.exitCode : EXIT_DEFECT;
}

async function usageFailure(error: unknown): Promise<unknown> {
  const { parseFailure } = await import('./cli/parse-failure.ts');
  return parseFailure(error) ?? error;
}

/** Read from argv and not from the flags, since parsing them may be what failed. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((word, i) => {
    const value = /^(?:--output|-o)=?(.*)$/.exec(word)?.[1];
    return (
      word === '--json' || ['json', 'jsonl'].includes((value === '' ? argv[i + 1] : value) ?? '')
    );
  });
}

/** oclif ends `--help` of a command by throwing an exit of 0. */
function isHelpOrVersion(error: unknown): boolean {
  const oclif = error instanceof Error && 'oclif' in error ? error.oclif : undefined;
  return typeof oclif === 'object' && oclif !== null && 'exit' in oclif && oclif.exit === 0;
}

void main(process.argv.slice(2));
