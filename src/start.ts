/**
 * Runs gw; the one place that prints an error and chooses the exit code.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { limitFailure } from './base/machine-limits.ts';
import { SECRET_VARIABLES } from './base/secret-variables.ts';
import type { CommandDefinition } from './dispatch/command.ts';
import { type CommandEntry, fastPath } from './dispatch/fast-path.ts';
import { EXIT_DEFECT, Failure, usage } from './failure.ts';
import { createHost } from './host/create.ts';
import type { Output } from './host/host.ts';
import { Redactor } from './redaction/redactor.ts';
import type { Context } from './session/context.ts';
import { renderError } from './view/errors.ts';
import { layMessages } from './view/messages.ts';

/**
 * @param argv what was typed after `gw`
 * @param root folder of package.json, oclif's manifest and `dist`
 * @returns never: it ends the process
 */
export async function start(argv: readonly string[], root: string): Promise<never> {
  const context = createContext(argv, root);
  const { host } = context;
  try {
    if (argv.length === 1 && argv[0] === '--version') await host.stdout.write(host.versionText);
    else await runCommand(context, argv);
    await host.endPaged();
    // What oclif printed by itself has been taken as well.
    await host.stdout.write('');
    return host.exit(0);
  } catch (error) {
    await host.endPaged();
    return host.exit(await report(context, argv, error));
  }
}

async function runCommand(context: Context, argv: readonly string[]): Promise<void> {
  const { root, host } = context;
  refuseBroken(argv);
  const isOff = host.env.GW_FAST_PATH === 'off';
  const found = isOff ? undefined : fastPath(argv, (id) => readEntry(root, id));
  const load = (id: string) => loadCommand(root, id);
  if (found) {
    await load(found.id).run(context, found.input);
  } else {
    const { runOclif } = await import('./dispatch/oclif.ts');
    await runOclif(context, argv, load);
  }
}

/** What stands for bytes that are no UTF-8 would be sent in their place. */
function refuseBroken(argv: readonly string[]): void {
  const place = argv.findIndex((word) => word.includes('\ufffd'));
  if (place === -1) return;
  throw usage(
    'argument-not-utf8',
    `Argument ${place + 1} is not UTF-8 text.`,
    'Nothing was sent. Type it in a terminal that speaks UTF-8, or give it with --input FILE.',
  );
}

/** From the part of oclif's manifest that the build takes out of it (scripts/build.mjs), a file for each command. */
function readEntry(root: string, id: string): CommandEntry | undefined {
  const file = join(root, 'dist/flags', `${id.replaceAll(':', '/')}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The path of a command's file is what a user types; a manifest that names it has been built with it. */
function loadCommand(root: string, id: string): CommandDefinition {
  const load = createRequire(join(root, 'package.json'));
  return load(`./dist/commands/${id.replaceAll(':', '/')}.cjs`).default;
}

/** Every output passes through the redactor, which learns the secrets of this run on the way. */
function createContext(argv: readonly string[], root: string): Context {
  const redactor = new Redactor();
  redactor.addCardNumbersOf(argv);
  const scrub = {
    stdout: (text: string) => redactor.scrubRecords(text),
    stderr: (text: string) => redactor.scrub(text),
    hide: (secret: string) => redactor.addSecret(secret),
    // Before it is broken into lines: half a card number is not recognised.
    lay: (text: string, output: Output) => layMessages(redactor.scrub(text), output),
  };
  const host = createHost(scrub, argv.includes('--plain'));
  for (const name of SECRET_VARIABLES) redactor.addSecret(host.env[name] ?? '');
  return { redactor, root, host };
}

/** @returns the exit code */
async function report({ host }: Context, argv: readonly string[], error: unknown): Promise<number> {
  if (isHelpOrVersion(error)) return 0;
  const cause = error instanceof Failure ? error : await usageFailure(error);
  // A pipeline whose reader has enough ends quietly.
  if (cause instanceof Failure && cause.code === 'output-unread') return cause.exitCode;
  // A reader of a pager has read enough.
  if (cause instanceof Failure && cause.code === 'pager-left') return 0;
  const format = wantsJson(argv) ? 'json' : undefined;
  await host.stderr.write(renderError(cause, { format, debug: argv.includes('--debug') }));
  return cause instanceof Failure ? cause.exitCode : EXIT_DEFECT;
}

async function usageFailure(error: unknown): Promise<unknown> {
  const limit = limitFailure(error);
  if (limit) return limit;
  const { parseFailure } = await import('./dispatch/parse-failure.ts');
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
