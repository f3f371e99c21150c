/**
 * Runs gw. Only this file prints an error and chooses the exit code.
 *
 * Tests: test/system/sent.test.ts, test/scripts/bad-input/words.script, test/scripts/output/pipes.script
 */
import type { Json } from './base/json.ts';
import { type FoundCommand, wantsHelp } from './cli/dispatch/argv.ts';
import { helpSource, type Program, runWords } from './cli/dispatch/program.ts';
import { helpTopic, reportNamed, wantsJson } from './cli/dispatch/without-command.ts';
import { EXIT_DEFECT, Failure, usage } from './failure.ts';
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
  await runWords(context, program, id, words);
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
