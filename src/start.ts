/** Runs gw. Only this file prints an error and chooses the exit code. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './base/json.ts';
import type { CommandDefinition } from './cli/dispatch/command.ts';
import { type CommandEntry, fastPath } from './cli/dispatch/fast-path.ts';
import { runCommand } from './cli/dispatch/run-command.ts';
import type { HelpSource } from './cli/help/help-data.ts';
import { EXIT_DEFECT, Failure, usage } from './failure.ts';
import type { Load } from './host/code-cache.ts';
import type { Context } from './host/context.ts';
import { createHost } from './host/create.ts';
import { limitFailure } from './host/error-reason.ts';
import type { Output } from './host/host.ts';
import { left } from './host/http/left.ts';
import { Redactor } from './host/redaction/redactor.ts';
import { escapeHidden } from './host/redaction/safe.ts';
import { SECRET_VARIABLES } from './host/secret-variables.ts';
import { isVersion } from './host/version.ts';
import { renderError } from './view/errors.ts';
import { layMessages } from './view/text/messages.ts';

/** The completion scripts call this when the user presses Tab. It is not for people. */
const COMPLETE = '__complete';

/**
 * @param argv the words after `gw`
 * @param root folder of package.json, oclif's manifest and `dist`
 * @param load loads the file of a command
 * @returns never, because it ends the process
 */
export async function start(argv: readonly string[], root: string, load: Load): Promise<never> {
  const context = { ...createContext(argv, root), load };
  const { host } = context;
  try {
    if (isVersion(argv)) await host.stdout.write(host.versionText);
    else await runTyped(context, argv, load);
    await host.endPaged();
    return host.exit(0);
  } catch (error) {
    // Report only the first failure.
    await host.endPaged().catch(() => undefined);
    return host.exit(await report(context, argv, error));
  }
}

async function runTyped(context: Context, argv: readonly string[], load: Load): Promise<void> {
  const { root, host } = context;
  if (argv[0] === COMPLETE) {
    const { completionLines } = await import('./cli/completion/complete.ts');
    return host.stdout.write(await completionLines(host.files, argv.slice(1), helpSource(root)));
  }
  refuseBroken(argv);
  const isOff = host.env.GW_FAST_PATH === 'off';
  const found = isOff ? undefined : fastPath(argv, (id) => readEntry(root, id));
  if (found) await runCommand(loadCommand(load, found.id), context, found.input);
  else await runSlowly(context, argv, load);
}

/** Handles what the fast path leaves: help, and an argv that is or may be wrong. */
async function runSlowly(context: Context, argv: readonly string[], load: Load): Promise<void> {
  const { root, host } = context;
  const { findCommand } = await import('./cli/dispatch/find-command.ts');
  const source = helpSource(root);
  const asked = await findCommand(source.index, argv);
  if (asked.kind === 'help') {
    const { showHelp } = await import('./cli/help/show-help.ts');
    const isWhole = argv.includes('--no-pager');
    const out = { stdout: host.stdout, paged: isWhole ? () => undefined : host.paged };
    await showHelp(out, asked.topic, source);
    return;
  }
  // Find mistakes with the built help data, before loading the command and its imports.
  const { parseArgv } = await import('./cli/dispatch/slow-path.ts');
  const input = await parseArgv(source.command(asked.id), asked.argv);
  await runCommand(loadCommand(load, asked.id), context, input);
}

function helpSource(root: string): HelpSource {
  return {
    index: readJson(root, 'dist/help/index.json'),
    command: (id) => readJson(root, `dist/help/commands/${id.replaceAll(':', '/')}.json`),
  };
}

function readJson<T>(root: string, file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

/**
 * Refuses replacement characters, which stand for bytes that are not UTF-8. gw would send them in place of those bytes.
 */
function refuseBroken(argv: readonly string[]): void {
  const place = argv.findIndex((word) => word.includes('\ufffd'));
  if (place === -1) return;
  throw usage(
    'argument-not-utf8',
    `Argument ${place + 1} is not UTF-8 text.`,
    'Type it in a terminal that speaks UTF-8, or give it with --input FILE.',
  );
}

/** Reads a command's part of oclif's manifest, which the build splits into one file per command (scripts/build.mjs). */
function readEntry(root: string, id: string): CommandEntry | undefined {
  const file = join(root, 'dist/flags', `${id.replaceAll(':', '/')}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * Loads a command by the words that a user types, which are the path of its file. The build creates both file and
 * manifest.
 */
function loadCommand(load: Load, id: string): CommandDefinition {
  const file = `commands/${id.replaceAll(':', '/')}.cjs`;
  return (load(file) as { default: CommandDefinition }).default;
}

/** Passes every output through the redactor, which learns the secrets of this run. */
function createContext(argv: readonly string[], root: string): Context {
  const redactor = new Redactor();
  redactor.addCardNumbersOf(argv);
  const scrub = {
    stdout: (text: string) => redactor.scrubRecords(text),
    stderr: (text: string) => redactor.scrub(text),
    hide: (secret: string) => redactor.addSecret(secret),
    pass: (record: Json) => redactor.addIdentifiers(record),
    // Scrub before breaking into lines, because half a card number is not recognised.
    lay: (text: string, output: Output) => layMessages(escapeHidden(redactor.scrub(text)), output),
  };
  const host = createHost(scrub, argv.includes('--plain'), root);
  for (const name of SECRET_VARIABLES) redactor.addSecret(host.env[name] ?? '');
  return { redactor, root, host };
}

/** @returns the exit code */
async function report({ host }: Context, argv: readonly string[], error: unknown): Promise<number> {
  const cause = error instanceof Failure ? error : (limitFailure(error) ?? error);
  // If the reader of a pipe has seen enough, end quietly.
  if (cause instanceof Failure && cause.code === 'output-unread') return cause.exitCode;
  const format = wantsJson(argv) ? 'json' : undefined;
  await host.stderr.write(renderError(cause, { format, left, debug: argv.includes('--debug') }));
  return cause instanceof Failure ? cause.exitCode : EXIT_DEFECT;
}

/** Reads argv rather than the flags, because parsing them may have failed. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((word, i) => {
    const value = /^(?:--output|-o)=?(.*)$/.exec(word)?.[1];
    return (
      word === '--json' || ['json', 'jsonl'].includes((value === '' ? argv[i + 1] : value) ?? '')
    );
  });
}
