/**
 * `--jq`: jq itself, compiled to WebAssembly (docs/decisions/0016). It sees what `-o json` prints, has no files, no
 * environment and no network, and is loaded where it is asked for.
 */
import { type Jq, loadJq } from 'jq-wasm/inline';
import { Failure, usage } from '../failure.ts';
import { neutralise, safeJsonText } from '../redaction/safe.ts';

/** A result a line; what comes after is no flag, whatever it begins with. */
const FLAGS = ['-c', '--'];
const EXIT_COMPILE = 3;
const MOST_CHARACTERS = 200;

let loaded: Promise<Jq> | undefined;

function load(): Promise<Jq> {
  loaded ??= loadJq();
  return loaded;
}

/**
 * To be called before anything is sent.
 * @throws Failure usage when the expression is none
 */
export async function checkJq(expression: string): Promise<void> {
  // Without input nothing is evaluated.
  const { exitCode, stderr } = (await load()).raw('', expression, FLAGS);
  if (exitCode === EXIT_COMPILE)
    throw usage(
      'jq-invalid',
      `jq cannot read the expression of --jq: ${reasonOf(stderr)}.`,
      "Nothing was sent. For example --jq .id, or --jq '.[] | [.id, .amount] | @tsv' for a list.",
    );
}

/**
 * @param json one JSON text, or several
 * @param write takes a line for each result, strings without quotes; line ends and tabs in a string stay
 * @throws Failure incomplete when the expression fails, after the results before
 */
export async function filterJq(
  expression: string,
  json: string,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const { stdout, stderr, exitCode } = (await load()).raw(json, expression, FLAGS);
  if (stdout !== '') await write(`${stdout.split('\n').map(rawOf).join('\n')}\n`);
  if (exitCode === 0) return;
  throw new Failure('incomplete', `The expression of --jq failed: ${reasonOf(stderr)}.`, {
    code: 'jq-failed',
    next: 'See what -o json prints: that is what the expression filters.',
  });
}

function rawOf(line: string): string {
  if (!line.startsWith('"')) return safeJsonText(line);
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
