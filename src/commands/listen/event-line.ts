/**
 * The record of an event as one line. In a pipe, tabs separate its parts: time, mode, event, who, amount, outcome,
 * number, and then remarks. On a terminal it is a row:
 *
 *     09:41:07     #17    successful   25.00 AUD  Ada Lovelace      Approved
 *     03-11 00:00  #18    retry        25.00 AUD  Bo Li  DECLINED: Insufficient Funds
 *     (09:41:09)   #19    pending                 Bo Li             Queued
 *
 * A row shows the event's own time if it has one, that of its purchase, with the day if that differs from the day of
 * receipt. Otherwise it shows the time of receipt in parentheses. A long reason uses the room that the name beside it
 * leaves free. In plain lines, commas separate the parts.
 *
 * Every text of the delivery is cut and neutralised before it is printed.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import type { Outcome } from '../../contract/normal.ts';
import { outcomeWording } from '../../events/show/event-view.ts';
import type { Output } from '../../host/host.ts';
import { cut, neutralise, toJson } from '../../host/redaction/safe.ts';
import { painter } from '../../view/text/color.ts';
import { fitInto, type Measure } from '../../view/text/width.ts';
import { amountText, textOf } from '../../view/values.ts';

export interface EventScreen extends Pick<Output, 'columns' | 'color' | 'isPlain'> {
  measure: Measure;
}

export interface LineStyle {
  /** The terminal; undefined if the line goes into a pipe. */
  screen: EventScreen | undefined;
  /** The environment's mode, if the event names another one. */
  expectedMode: string | undefined;
}

interface Remark {
  text: string;
  /** The outcome whose colour it has. */
  tint?: Outcome | undefined;
}

const MAX_NAME = 40;
const MAX_MESSAGE = 100;
const MAX_BODY = 2_000;

/**
 * @param record in the form of EVENT_VIEW; if it has a payload, or the body of a bad delivery, that is printed below
 *   the line
 * @returns the line with its line end
 */
export function eventLine(record: JsonObject, { screen, expectedMode }: LineStyle): string {
  const { text, tint } = outcomeWording(record);
  const outcome = { text: show(text, MAX_MESSAGE), tint };
  const remarks = remarksOf(record, expectedMode);
  const line = screen
    ? rowOf(record, inOrder(outcome, remarks), screen)
    : tabs(record, [outcome, ...remarks]);
  return `${line}\n${below(record)}`;
}

function tabs(record: JsonObject, [outcome, ...remarks]: readonly Remark[]): string {
  const { event, who, amount } = textsOf(record);
  const mode = show(record.mode ?? 'no mode', MAX_NAME);
  const more = remarks.map(({ text }) => text);
  if (record.authentication === 'none') more.push('without a password');
  const { received_at: at, id } = record;
  return [textOf(at), mode, event, who, amount, outcome?.text, `#${id}`, ...more].join('\t');
}

/** Short and neutralised; empty if the event does not say. */
function textsOf(record: JsonObject) {
  const { elements } = record;
  const others = Number(elements) > 1 ? ` and ${Number(elements) - 1} more` : '';
  return {
    event: show(record.event ?? 'no event', MAX_NAME),
    who: show(record.who, MAX_NAME) + others,
    amount: show(amountText(record), MAX_NAME),
  };
}

const VERIFICATIONS: Readonly<Record<string, readonly [word: string, tint?: Outcome]>> = {
  contradicted: ['CONTRADICTED', 'declined'],
  waiting: ['not verified yet'],
};

function remarksOf(record: JsonObject, expectedMode: string | undefined): Remark[] {
  const { duplicate_of: duplicateOf, verification, verification_reason: reason, masked } = record;
  const found: Remark[] = [];
  if (expectedMode !== undefined)
    found.push({ text: `MODE MISMATCH: ${expectedMode} expected`, tint: 'declined' });
  if (duplicateOf !== null) found.push({ text: `duplicate of #${duplicateOf}` });
  if (typeof verification === 'string') {
    const [word, tint] = VERIFICATIONS[verification] ?? [verification];
    const why = show(reason, MAX_MESSAGE);
    found.push({ text: why === '' ? word : `${word}: ${why}`, tint });
  }
  if (record.trust === 'sample') found.push({ text: 'sample' });
  if (masked === true) found.push({ text: 'masked before it was kept' });
  return found;
}

/** The outcome after more important remarks and before less important ones. */
function inOrder(outcome: Remark, remarks: readonly Remark[]): Remark[] {
  const isLoud = ({ tint }: Remark) => tint !== undefined;
  return [...remarks.filter(isLoud), outcome, ...remarks.filter((remark) => !isLoud(remark))];
}

const GAP = '  ';
const TIME = '03-11 00:00'.length;
const ID = '#1234'.length;
const EVENT = 'successful'.length;
const AMOUNT = '100.00 AUD'.length;
/** The most cells to which a long name or amount widens its column. */
const MOST = 22;
/** The width of an outcome if no name has a column, and the smallest widths of both. */
const OUTCOME = 18;
const LEAST_OUTCOME = 9;
const LEAST_WHO = 8;
const MOST_WHO = 24;

/** The six events differ in the part after the colon. */
const PREFIX = /^(?:charge|card):(?=[a-z])/;

/** @returns the row, without its line end; it fits the terminal if its fixed parts do */
function rowOf(record: JsonObject, remarks: readonly Remark[], screen: EventScreen): string {
  const { columns, isPlain, measure } = screen;
  const time = timeOf(record, isPlain);
  const { event, who, amount } = textsOf(record);
  if (isPlain) {
    const parts = [time, event, amount, who, ...remarks.map(({ text }) => text)];
    return [...parts, `event ${record.id}`].filter((part) => part !== '').join(', ');
  }
  const padding = (text: string, width: number) => ' '.repeat(Math.max(0, width - measure(text)));
  const cell = (text: string, width: number, most = MOST) => {
    const fitted = fitInto(text, most, measure);
    return fitted + padding(fitted, width) + GAP;
  };
  const short = cell(event.replace(PREFIX, ''), EVENT);
  const money = fitInto(amount, MOST, measure);
  const fixed = `${time.padEnd(TIME)}${GAP}${cell(`#${record.id}`, ID)}${short}${padding(money, AMOUNT)}${money}${GAP}`;
  const room = Math.min(MOST_WHO, columns - measure(fixed) - GAP.length - OUTCOME);
  const line = room < LEAST_WHO ? fixed : fixed + cell(who, room, room);
  const wanted = measure(remarks.map(({ text }) => text).join(', '));
  const start = measure(line) + wanted > columns ? line.trimEnd() + GAP : line;
  const { color } = screen;
  const painted = painter({ color })('muted', time) + start.slice(time.length);
  return (painted + fitted(remarks, columns - measure(start), screen)).trimEnd();
}

/** @returns the remarks that fit into the cells, each in its colour */
function fitted(
  remarks: readonly Remark[],
  cells: number,
  { color, measure }: EventScreen,
): string {
  const paint = painter({ color });
  let left = Math.max(cells, LEAST_OUTCOME);
  let text = '';
  for (const { text: words, tint } of remarks) {
    const gap = text === '' ? '' : ', ';
    if (left - gap.length < 2) break;
    const cut = fitInto(words, left - gap.length, measure);
    text += gap + (tint ? paint(tint, cut) : cut);
    if (cut !== words) break;
    left -= gap.length + measure(cut);
  }
  return text;
}

/**
 * @returns the event's own time, with its date if that is another day; otherwise the time of receipt, marked as such
 */
function timeOf(record: JsonObject, isPlain: boolean): string {
  const received = new Date(String(record.received_at));
  const own = new Date(textOf(record.transaction_date) ?? Number.NaN);
  const isOwn = !Number.isNaN(own.getTime());
  const at = isOwn ? own : received;
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  if (!isOwn) return isPlain ? `received ${clock}` : `(${clock})`;
  if (at.toDateString() === received.toDateString()) return clock;
  return `${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock.slice(0, 'hh:mm'.length)}`;
}

const two = (part: number) => String(part).padStart(2, '0');

function below({ payload, body }: JsonObject): string {
  if (payload === undefined) return '';
  const text = typeof body === 'string' ? neutralise(cut(body, MAX_BODY)) : toJson(payload, 2);
  return text.replace(/^/gm, '    ').concat('\n');
}

function show(value: Json | undefined, max: number): string {
  return cut(neutralise(cut(textOf(value) ?? '', max)), max);
}
