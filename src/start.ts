/**
 * Runs gw. Only this file prints an error and chooses the exit code.
 *
 * Tests: test/system/sent.test.ts, test/scripts/bad-input/words.script, test/scripts/output/pipes.script
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './base/json.ts';
import { type FoundCommand, wantsHelp } from './cli/dispatch/argv.ts';
import { type CommandDefinition, type CommandInput, runCommand } from './cli/dispatch/command.ts';
import { type CommandEntry, fastPath } from './cli/dispatch/fast-path.ts';
import { helpTopic, reportNamed, wantsJson } from './cli/dispatch/without-command.ts';
import type { CommandHelp, HelpSource, NamedHelp } from './cli/help/help-data.ts';
import { EXIT_DEFECT, Failure, usage } from './failure.ts';
import type { CommandNames, Load } from './host/code-cache.ts';
import type { Context } from './host/context.ts';
import { createHost } from './host/create.ts';
import { limitFailure } from './host/error-reason.ts';
import type { Output } from './host/host.ts';
import { departures } from './host/http/left.ts';
import { Redactor } from './host/redaction/redactor.ts';
import { escapeHidden } from './host/redaction/safe.ts';
import { SECRET_VARIABLES } from './host/secret-variables.ts';
import { isVersion } from './host/version.ts';
import { renderError } from './view/errors.ts';
import { layMessages } from './view/text/messages.ts';

/** The completion scripts call this when the user presses Tab. It is not for people. */
const COMPLETE = '__complete';

/** The built program. */
interface Program {
  /** Folder of package.json, oclif's manifest and `dist`. */
  root: string;
  names: CommandNames;
  /** Loads the file of a command. */
  load: Load;
}

/**
 * @param argv the words after `gw`
 * @param found the command in them
 * @returns never, because it ends the process
 */
export async function start(
  argv: readonly string[],
  found: FoundCommand,
  program: Program,
): Promise<never> {
  const context = { ...createContext(argv, program.root), load: program.load };
  const { host } = context;
  try {
    if (isVersion(argv)) await host.stdout.write(host.versionText);
    else await runTyped(context, argv, found, program);
    await host.endPaged();
    return host.exit(0);
  } catch (error) {
    // Report only the first failure.
    await host.endPaged().catch(() => undefined);
    return host.exit(await report(host.stderr, argv, error));
  }
}

async function runTyped(
  context: Context,
  argv: readonly string[],
  found: FoundCommand,
  program: Program,
): Promise<void> {
  const { host } = context;
  if (argv[0] === COMPLETE) {
    const { completionLines } = await import('./cli/completion/complete.ts');
    return host.stdout.write(await completionLines(host, argv.slice(1), helpSource(program)));
  }
  refuseBroken(argv);
  const { id, words } = await reportNamed(found);
  if (id === undefined || wantsHelp(words)) {
    const source = helpSource(program);
    const topic = await helpTopic(argv, { id, words }, source);
    const { showHelp } = await import('./cli/help/show-help.ts');
    const isWhole = argv.includes('--no-pager');
    const out = { stdout: host.stdout, paged: isWhole ? () => undefined : host.paged };
    return showHelp(out, topic, source);
  }
  const isOff = host.env.GW_FAST_PATH === 'off';
  const input = isOff ? undefined : fastPath(words, readEntry(program.root, id));
  // Mistakes are found with the built help data, before the command and its imports are loaded.
  const sure = input ?? (await inputByOclif(helpSource(program), id, words));
  await runCommand(loadCommand(program.load, id), context, sure);
}

/** Handles what the fast path leaves: an argv that is or may be wrong. */
async function inputByOclif(
  source: HelpSource,
  id: string,
  words: readonly string[],
): Promise<CommandInput> {
  const { parseArgv } = await import('./cli/dispatch/slow-path.ts');
  return parseArgv(source.command(id), words, source);
}

function helpSource({ root, names }: Program): NamedHelp {
  return {
    names,
    index: readJson(root, 'dist/help/index.json'),
    command: (id) => readHelp(root, id),
  };
}

const readHelp = (root: string, id: string) =>
  readJson<CommandHelp>(root, `dist/help/commands/${id.replaceAll(':', '/')}.json`);

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
const readEntry = (root: string, id: string) =>
  readJson<CommandEntry>(root, `dist/flags/${id.replaceAll(':', '/')}.json`);

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
async function report(stderr: Output, argv: readonly string[], error: unknown): Promise<number> {
  const cause = error instanceof Failure ? error : (limitFailure(error) ?? error);
  // If the reader of a pipe has seen enough, end quietly.
  if (cause instanceof Failure && cause.code === 'output-unread') return cause.exitCode;
  const format = wantsJson(argv) ? 'json' : undefined;
  await stderr.write(
    renderError(cause, { format, left: departures, debug: argv.includes('--debug') }),
  );
  return cause instanceof Failure ? cause.exitCode : EXIT_DEFECT;
}
