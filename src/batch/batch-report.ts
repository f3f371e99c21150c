/** What a batch says about itself: its results on stdout, and its tally on stderr. */

import type { Json, JsonObject } from '../base/json.ts';
import { moneyText } from '../contract/money.ts';
import { redactJson } from '../redaction/redact.ts';
import { toJson } from '../redaction/safe.ts';
import { LINE_CLASSES, type LineClass, type Tally } from './engine/batch.ts';
import type { NumberedResult } from './engine/run.ts';
import type { Totals } from './engine/totals.ts';
import type { Standing } from './progress.ts';

const WORDS: Readonly<Record<LineClass, string>> = {
  done: 'done',
  declined: 'declined',
  rejected: 'rejected',
  refused: 'refused here',
  conflict: 'done before with another amount',
  'not-sent': 'not sent',
  unknown: 'unknown',
  elsewhere: 'being sent by another gw',
  'not-started': 'not started',
};

/** @returns the line of output for a line of input */
export function resultLine({
  line,
  outcome,
  isEarlier,
  entry,
  record,
  error,
}: NumberedResult): string {
  const shown: JsonObject = { line, outcome };
  if (isEarlier) shown.earlier = true;
  if (entry !== undefined) shown.entry = entry;
  if (record !== undefined) shown.record = redactJson(record);
  if (error !== undefined) shown.error = error as Json;
  return `${toJson(shown)}\n`;
}

/** @returns for example `1,980 done (500 of them earlier), 3 rejected, 17 unknown` */
export function tallyText(tally: Tally): string {
  const parts = LINE_CLASSES.filter((name) => tally[name] > 0).map((name) => {
    const earlier =
      name === 'done' && tally.doneEarlier > 0
        ? ` (${count(tally.doneEarlier)} of them earlier)`
        : '';
    return `${count(tally[name])} ${WORDS[name]}${earlier}`;
  });
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

/** @param currency of the account, where it is known. @returns for example `25.00 AUD and 300 JPY` */
export function moneyOf(totals: Readonly<Totals>, currency: string | undefined): string {
  return [...totals]
    .map(([code, total]) => moneyText(total, code === '' ? currency : code))
    .join(' and ');
}

/** @returns where a batch is; lines that were done earlier, or not started, took no time */
export function standingOf(tally: Tally): Standing {
  const handled = LINE_CLASSES.reduce((sum, name) => sum + tally[name], 0);
  const sent = handled - tally.doneEarlier - tally['not-started'];
  return { handled, sent, words: tallyText(tally) };
}

export function count(n: number | bigint): string {
  return n.toLocaleString('en-US');
}
