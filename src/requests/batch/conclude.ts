/** Ends a batch, and says what to do about the lines that are not done. */

import { shellWord } from '../../base/shell.ts';
import { plural, quantity } from '../../base/text.ts';
import { Failure } from '../../failure.ts';
import { type LineClass, linesIn, type StopReason, type Tally } from './engine/batch.ts';
import type { FailedRows } from './failed-rows.ts';
import { LEDGER_LOST } from './line-result.ts';

/** The result of a run. */
interface Ended {
  tally: Tally;
  /** Why lines were not started, if any were not. */
  stoppedBy: StopReason | undefined;
}

/** The facts that the advice at the end of a batch depends on. */
export interface Ways {
  /** The same command as it is typed; undefined if the input came through a pipe and cannot be read again. */
  command: string | undefined;
  /** The file of the rows that did not succeed. */
  failed: Pick<FailedRows, 'path' | 'count' | 'lacksCards'> | undefined;
  /** Whether the ledger holds what was sent. */
  isRecorded: boolean;
}

/** @throws Failure unless every line is done and nothing else is wrong with the batch */
export function conclude({ tally, stoppedBy }: Ended, isInterrupted: boolean, ways: Ways): void {
  const open = openLines(tally);
  if (!isInterrupted && open === 0 && stoppedBy?.code === undefined) return;
  const isKnown = ways.isRecorded && !LEDGER_LOST.has(stoppedBy?.code ?? '');
  const advice = adviceOn(tally, { ...ways, isRecorded: isKnown });
  const next = [stoppedBy?.next, ...advice].filter(Boolean).join(' ');
  if (isInterrupted) {
    const left = tally['not-started'];
    const what =
      left === 0
        ? 'every line has an outcome'
        : `${lines(left)} ${plural(left, 'was', 'were')} not started; the others have an outcome`;
    throw new Failure('interrupted', `Interrupted: ${what}.`, next || 'Every line is done.');
  }
  throw new Failure(stoppedBy?.code ?? 'batch-incomplete', messageOf(open, stoppedBy?.why), next, {
    kind: stoppedBy?.kind ?? 'incomplete',
  });
}

function messageOf(open: number, why: string | undefined): string {
  const left = `${quantity(open, 'line is', 'lines are')} not done.`;
  if (why === undefined) return left;
  return open === 0 ? `All lines are done, but ${why}.` : `${left} No more were started: ${why}.`;
}

type AdviceOn = readonly [
  classes: readonly (LineClass | 'not-now' | 'may-pass' | 'never')[],
  advice: (n: number, again: () => string) => string,
];

/** Advice on lines that only another run can send, in the order in which a person handles them. */
const AGAIN: readonly AdviceOn[] = [
  [
    ['not-started', 'not-sent', 'elsewhere'],
    (n, again) =>
      `${lines(n)} ${plural(n, 'was', 'were')} not sent by this run: ${again()} to continue; nothing is sent twice.`,
  ],
  [
    ['not-now'],
    (n, again) =>
      `The gateway was too busy for ${lines(n)} and processed nothing of ${plural(n, 'it', 'them')}: ${again()} to send ${plural(n, 'it', 'them')}.`,
  ],
  [
    ['may-pass'],
    (n, again) =>
      `${lines(n)} ${plural(n, 'was', 'were')} declined, and no money moved: ${again()} to try ${plural(n, 'the card', 'the cards')} again.`,
  ],
];

/** Replaces that advice when another run would not know what this one sent. */
const NOT_KNOWN =
  'gw may not know which lines it has sent. Do not run the whole input again: the results of this run, and of earlier ones, show which lines are done.';
const WITH_FAILED = 'Send only the others: with `--failed FILE`, a batch writes them to a file.';

const ADVICE: readonly AdviceOn[] = [
  [
    ['never'],
    (n) =>
      `${lines(n)} ${plural(n, 'was', 'were')} declined, and ${plural(n, 'its card', 'their cards')} can never pay: ask for ${plural(n, 'another card', 'other cards')}. gw sends ${plural(n, 'it', 'them')} again only with --retry-declined.`,
  ],
  [
    ['rejected'],
    (n) =>
      `The gateway rejected ${lines(n)} and would reject ${plural(n, 'it', 'them')} again: correct ${plural(n, 'it', 'them')} as the ${plural(n, 'reason says', 'reasons say')}, then send the corrected file.`,
  ],
  [
    ['refused'],
    (n) =>
      `gw refused ${lines(n)} and did not send ${plural(n, 'it', 'them')}: the ${plural(n, 'reason says', 'reasons say')} what to correct.`,
  ],
  [
    ['conflict'],
    (n) =>
      `${lines(n)} ${plural(n, 'was not sent, because its reference belongs to another request', 'were not sent, because their references belong to other requests')}: the ${plural(n, 'reason says', 'reasons say')} which, and what to do.`,
  ],
];

const UNKNOWN: AdviceOn = [
  ['unknown'],
  (n) =>
    `The outcome of ${lines(n)} is unknown: \`gw journal resolve\` finds out what happened. Until then, gw does not send ${plural(n, 'it', 'them')} again.`,
];
const UNKNOWN_TO_ALL: AdviceOn = [
  ['unknown'],
  (n) =>
    `The outcome of ${lines(n)} is unknown: look ${plural(n, 'it', 'them')} up at the gateway before you send ${plural(n, 'it', 'them')} again.`,
];

function adviceOn(tally: Tally, { command, failed, isRecorded }: Ways): string[] {
  const { notNow, never } = tally;
  const rejected = tally.rejected - notNow;
  const counts = { ...tally, rejected, 'not-now': notNow, 'may-pass': tally.declined - never };
  const first =
    command === undefined ? 'run it again with the same input' : `run \`${command}\` again`;
  let isSaid = false;
  const again = () => {
    const said = isSaid ? 'run it again' : first;
    isSaid = true;
    return said;
  };
  const say = (each: readonly AdviceOn[]) =>
    each.flatMap(([classes, of]) => {
      const n = classes.reduce((sum, name) => sum + counts[name], 0);
      return n > 0 ? [of(n, again)] : [];
    });
  const others = failed ? [NOT_KNOWN] : [NOT_KNOWN, WITH_FAILED];
  const advice = [
    ...(isRecorded ? say(AGAIN) : others),
    ...say([...ADVICE, isRecorded ? UNKNOWN : UNKNOWN_TO_ALL]),
  ];
  if (!failed || failed.count === 0) return advice;
  const { count: rows, path, lacksCards } = failed;
  const cards = lacksCards
    ? ' once the card number and the CVV are put back, which gw writes to no file'
    : '';
  const without =
    tally.unknown + tally.elsewhere > 0 ? '; rows whose outcome is unknown are left out' : '';
  return [
    ...advice,
    `${quantity(rows, 'row is', 'rows are')} in ${shellWord(path)}, ready to be corrected and sent${cards}${without}.`,
  ];
}

function lines(n: number): string {
  return quantity(n, 'line', 'lines');
}

/** @returns how many lines are not done */
export function openLines(tally: Tally): number {
  return linesIn(tally) - tally.done;
}
