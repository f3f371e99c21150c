/** A finding of `gw doctor`: as a record, and as a page for a terminal. */
import type { FailureKind } from '../../failure-codes.ts';
import type { Output } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { fieldColumn, ownView } from '../../view/columns.ts';
import { painter } from '../../view/text/color.ts';
import { paintWords } from '../../view/text/messages.ts';
import { loadMeasure, type Measure } from '../../view/text/width.ts';
import { wrap } from '../../view/text/wrap.ts';
import { textOf } from '../../view/values.ts';

export const CHECK_VIEW = ownView({
  name: 'check',
  plural: 'checks',
  mayHave: ['check', 'profile', 'state', 'message', 'next'],
  hasHeader: true,
  columns: ['check', 'profile', 'state', 'message', 'next'].map((field) => fieldColumn(field)),
  // The name by which the docs explain the check.
  id: (record) => textOf(record.check),
  computed: (found: CheckResult) => ({ next: found.state === 'ok' ? null : found.next }),
});

/** Words, since neither colours nor signs reach every reader, printer and code page. */
const SIGNS = { ok: 'ok', warning: 'warning', failed: 'FAILED' } as const;
const SIGN_CELLS = 'warning'.length;
const COLORS = { ok: 'approved', warning: 'unclear', failed: 'declined' } as const;
const MIN_TEXT_CELLS = 20;

/** @returns the findings in groups, one for this machine and one for each profile, with the next step for each */
export async function renderChecks(found: readonly CheckResult[], output: Output): Promise<string> {
  const measure = await loadMeasure();
  const names = found.map(({ check }) => nameOf(check));
  const page = { output, measure, nameCells: Math.max(0, ...names.map(measure)) };
  const groups = [...new Set(found.map(({ profile }) => profile))];
  return groups
    .map((profile) => {
      const title = profile === null ? 'This machine' : `Profile ${profile}`;
      const heading = painter(output)('heading', title);
      const theirs = found.filter((one) => one.profile === profile);
      return `${heading}\n${theirs.map((one) => renderCheck(one, page)).join('')}`;
    })
    .join('\n');
}

interface Page {
  output: Output;
  measure: Measure;
  /** The width of the checks' names. */
  nameCells: number;
}

function renderCheck(found: CheckResult, page: Page): string {
  const { output, measure, nameCells } = page;
  const { state, message } = found;
  if (output.isPlain) return plainCheck(found, page);
  const sign = SIGNS[state].padEnd(SIGN_CELLS);
  const name = nameOf(found.check).padEnd(nameCells);
  const indent = ' '.repeat(2 + SIGN_CELLS + 2 + nameCells + 2);
  const cells = Math.max(MIN_TEXT_CELLS, output.columns - indent.length);
  const lines = wrap(neutralise(message), cells, measure);
  if (found.state !== 'ok') lines.push(...wrap(`-> ${neutralise(found.next)}`, cells, measure));
  const painted = painter(output)(COLORS[state], sign);
  const [first, ...rest] = lines.map((line) => paintWords(line, output));
  return [`  ${painted}  ${name}  ${first}`, ...rest.map((line) => indent + line)]
    .map((line) => `${line}\n`)
    .join('');
}

/** For a screen reader: the check and its state on one line, the next step on another. */
function plainCheck(found: CheckResult, { output, measure }: Page): string {
  const { state, check, message } = found;
  const lines = [`${nameOf(check)}: ${SIGNS[state]}: ${neutralise(message)}`];
  if (state !== 'ok') lines.push(`Next: ${neutralise(found.next)}`);
  const wrapped = lines.flatMap((line) => wrap(line, output.columns, measure));
  return wrapped.map((line) => `${line}\n`).join('');
}

const nameOf = (check: string) => check.replaceAll('-', ' ');

/** A finding, and what it is about. */
export type CheckResult = Finding & {
  check: string;
  /** The profile that was checked; null for this machine. */
  profile: string | null;
};

/** `message` says in one sentence what was found; `next` says what to do, with a command to type. */
export type Finding =
  | { state: 'ok'; message: string }
  | { state: 'warning'; message: string; next: string }
  /** @prop kind decides the exit code */
  | { state: 'failed'; message: string; next: string; kind: FailureKind };
