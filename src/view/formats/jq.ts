/**
 * `--jq`: jq itself, compiled to WebAssembly (docs/technical-decisions.md), on a thread of its own. It reads what `-o json`
 * prints, has no files, environment or network, and is loaded only when it is used.
 */
import { Failure, usage } from '../../failure.ts';
import type { Host, Jq } from '../../host/host.ts';
import { escapeHidden, neutralise } from '../../host/redaction/safe.ts';

/** An expression, and the engine that runs it. */
export interface Filter {
  expression: string;
  jq: Jq;
  /** Ends jq when aborted. */
  interrupted: AbortSignal | undefined;
}

const EXIT_COMPILE = 3;
const MOST_CHARACTERS = 200;

/**
 * Checks an expression; callers do this before anything is sent.
 * @throws Failure usage if the expression is invalid
 */
export async function checkJq(
  { jq, interrupted }: Pick<Host, 'jq' | 'interrupted'>,
  expression: string,
): Promise<void> {
  // Without input, jq only compiles the expression.
  const { exitCode, stderr } = await jq.run(expression, [], interrupted);
  if (exitCode === undefined || exitCode === EXIT_COMPILE)
    throw usage(
      'jq-invalid',
      `jq cannot read the expression of --jq: ${reasonOf(stderr)}.`,
      "For example --jq .id, or --jq '.[] | [.id, .amount] | @tsv' for a list.",
      { sent: false },
    );
}

/**
 * @param json parts of one JSON text, or of several
 * @param write gets the results after jq has ended, one on each line, strings without quotes; line ends and tabs in a
 *   string stay
 * @throws Failure incomplete if the expression fails, after the earlier results; Failure interrupted if it was ended;
 *   any error of `write`
 */
export async function filterJq(
  { expression, jq, interrupted }: Filter,
  json: readonly string[],
  write: (text: string) => Promise<void>,
): Promise<void> {
  const ended = jq.run(expression, json, interrupted);
  const { stdout, stderr, exitCode } = await ended.catch((error) => {
    throw interrupted?.aborted && error === interrupted.reason ? cutShort(error) : error;
  });
  if (stdout !== '') await write(stdout.split('\n').map(rawOf).join('\n'));
  if (exitCode === 0) return;
  throw new Failure('incomplete', `The expression of --jq failed: ${reasonOf(stderr)}.`, {
    code: 'jq-failed',
    next:
      exitCode === undefined
        ? 'Its input or its result is too large. Use -o json without --jq, or -o jsonl to filter one record at a time.'
        : 'See what -o json prints: that is what the expression filters.',
  });
}

/** The answers being filtered have arrived, so the outcome of any money request is in the journal. */
function cutShort(cause: unknown): Failure {
  return new Failure('interrupted', 'Interrupted while the expression of --jq was still running.', {
    code: 'jq-interrupted',
    next: 'The output is not complete. Before you repeat a command that moves money, check what it has already done with `gw journal list`.',
    cause,
  });
}

function rawOf(line: string): string {
  if (!line.startsWith('"')) return escapeHidden(line);
  const text: string = JSON.parse(line);
  return text.replace(/[^\n\t]+/g, neutralise);
}

/** @returns what jq says is wrong, on one line, without a full stop */
function reasonOf(stderr: string): string {
  const said = (stderr.split('\n')[0] ?? '')
    .replace(/^jq: error(?: \(at [^)]*\))?:? ?/, '')
    .replace(/ at <top-level>, line 1, column (\d+):$/, ' at character $1');
  return neutralise(said).slice(0, MOST_CHARACTERS) || 'it stopped';
}
