/**
 * `--jq`: jq itself, compiled to WebAssembly (docs/technical-decisions.md), on a thread of its own. It reads what `-o json`
 * prints, has no files, environment or network, and is loaded only when it is used.
 */
import { Failure, usage } from '../../failure.ts';
import type { Host, Jq, Output } from '../../host/host.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { note } from '../../host/note.ts';
import { escapeHidden, neutralise } from '../../host/redaction/safe.ts';

/** An expression, and the engine that runs it. */
export interface Filter {
  expression: string;
  jq: Jq;
  /** Ends jq when aborted. */
  interrupted: AbortSignal | undefined;
  /** Gets what `debug` and `stderr` of the expression print. */
  stderr: Output;
}

const EXIT_COMPILE = 3;
const MOST_CHARACTERS = 200;

/**
 * The C library of WebAssembly reads some parts of a date wrongly or not at all, and knows no zone: what it does not do as
 * elsewhere is refused by name.
 */
const FORMATS = '%[-_+EO0-9]*[^-_+EO0-9aAbBcCdDeFgGhHIjmMnprRsStTuUVwWxXyY';
const DATES = String.raw`
def gw_takes($name; $not): first((gsub("%%"; "") | scan($not)), null) as $one
  | if $one then error("\($name) of --jq does not take \($one)") else . end;
def gw_strptime(f): strptime(f);
def strptime(f): gw_strptime(f | gw_takes("strptime"; "%[^aAbBcCdDeFhHmMnRStTxXyY]"));
def gw_strftime(f): strftime(f);
def strftime(f): gw_strftime(f | gsub("(?<sign>%%)|%Z"; .sign // "UTC") | gw_takes("strftime"; "${FORMATS}z]"));
def gw_strflocaltime(f): strflocaltime(f);
def strflocaltime(f): gw_strflocaltime(f | gw_takes("strflocaltime"; "${FORMATS}]"));
`.replaceAll('\n', ' ');

/**
 * Checks an expression; callers do this before anything is sent. Says on stderr if it needs a time zone and there is none.
 * @throws Failure usage if the expression is invalid
 */
export async function checkJq(
  { jq, interrupted, ...host }: Pick<Host, 'jq' | 'interrupted' | 'env' | 'stderr'>,
  expression: string,
): Promise<void> {
  // Without input, jq only compiles the expression.
  const { exitCode, stderr } = await jq.run(expression, [], interrupted);
  if (exitCode === undefined || exitCode === EXIT_COMPILE)
    throw usage(
      'jq-invalid',
      `jq cannot read the expression of --jq: ${reasonOf(stderr)}.`,
      "For example --jq .id, or --jq '.[] | [.id, .amount] | @tsv' for a list.",
    );
  // Node tells jq the zone, and counts in UTC if it knows none.
  if (expression.includes('localtime')) timeZoneOf(host, undefined).dayOf(0);
  if (!/env/i.test(expression)) return;
  // The environment holds API tokens. jq itself tells whether the expression uses it: a definition of something unknown
  // is an error only if it is called, and a field or a text named `env` calls nothing.
  const without = `def env: $gw_env; ${expression.replaceAll(/\$ENV\b/g, '$gw_env')}`;
  const use = await jq.run(without, [], interrupted);
  if (use.stderr.includes('$gw_env is not defined'))
    throw usage(
      'jq-environment',
      '--jq has no access to environment variables, so it takes neither `env` nor `$ENV`.',
      'Let your shell put the value into the expression: --jq ".[] | select(.reference == \\"$REF\\")".',
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
  { expression, jq, interrupted, stderr: notes }: Filter,
  json: readonly string[],
  write: (text: string) => Promise<void>,
): Promise<void> {
  const defined = /str(?:p|f|flocal)time/.test(expression) ? DATES + expression : expression;
  const ended = jq.run(defined, json, interrupted);
  const { stdout, stderr, exitCode } = await ended.catch((error) => {
    throw interrupted?.aborted && error === interrupted.reason ? cutShort(error) : error;
  });
  // Before jq's own error, or one of `halt_error`, is what `debug` and `stderr` of the expression wrote.
  const isOwn = /^.*(?=jq: error)|^(?:\["DEBUG:",[^\n]*\n)*/s;
  const noted = exitCode === 0 ? stderr : (isOwn.exec(stderr)?.[0] ?? '');
  if (noted !== '') await note(notes, noted.trimEnd());
  if (stdout !== '') await write(stdout.split('\n').map(rawOf).join('\n'));
  if (exitCode === 0) return;
  const reason = reasonOf(stderr.slice(noted.length));
  const next = reason.startsWith('Cannot index array')
    ? 'The JSON is an array. Begin the expression with `.[] |`, or add -o jsonl to filter one record at a time.'
    : 'See what -o json prints: that is what the expression filters.';
  throw new Failure(
    'jq-failed',
    `The expression of --jq failed: ${reason}.`,
    exitCode === undefined
      ? 'Its input or its result is too large. Use -o json without --jq, or -o jsonl to filter one record at a time.'
      : next,
  );
}

/** The answers being filtered have arrived, so the outcome of any money request is in the journal. */
function cutShort(cause: unknown): Failure {
  return new Failure(
    'jq-interrupted',
    'Interrupted while the expression of --jq was still running.',
    'The output is not complete. Before you repeat a command that moves money, check what it has already done with `gw journal list`.',
    { cause },
  );
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
