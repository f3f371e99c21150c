/**
 * One event as a row of a terminal: as many columns as there is room for, in the same places on every row.
 *
 *     09:41:07     #17    successful   25.00 AUD  Ada Lovelace      Approved
 *     03-11 00:00  #18    retry        25.00 AUD  Bo Li  DECLINED: Insufficient Funds
 *     (09:41:09)   #19    pending                 Bo Li             Queued
 *
 * The time is the event's own where it has one: that of its purchase, with its day where that is another one. That of
 * the receipt is in parentheses. A reason that has too little room takes what the name beside it leaves free.
 * In plain lines the parts are words with commas between them.
 */
import type { Outcome } from '../../contract/normal.ts';
import type { Output } from '../../host/host.ts';
import { painter, type Role } from '../../view/text/color.ts';
import { fitInto, type Measure } from '../../view/text/width.ts';
import { textOf } from '../../view/values.ts';
import type { ShownEvent } from './event-view.ts';

export interface EventScreen extends Pick<Output, 'columns' | 'color' | 'isPlain'> {
  measure: Measure;
}

/** The texts of an event, short and neutralised; empty where it does not say. */
export interface EventTexts {
  id: string;
  mode: string;
  event: string;
  who: string;
  amount: string;
  reference: string;
  outcome: Remark;
  remarks: readonly Remark[];
}

export interface Remark {
  text: string;
  /** What it is coloured like. */
  tint?: Outcome | undefined;
}

const GAP = '  ';
const TIME = '03-11 00:00'.length;
const SHORT_TIME = '09:41:07'.length;
const ID = '#1234'.length;
const MODE = 'Sandbox'.length;
const NAME = 'charge:successful'.length;
const SHORT_NAME = 'successful'.length;
const AMOUNT = '100.00 AUD'.length;
const REFERENCE = 16;
/** What the outcome has before there is a column for anybody's name. */
const OUTCOME = 18;
const WIDE_OUTCOME = 24;
const LEAST_OUTCOME = 9;
const LEAST_WHO = 8;
const MOST_WHO = 24;
/** From here on there are columns for the mode and the reference. */
const WIDE = 110;
/** Below it the name of an event is what comes after its colon, in which the six differ. */
const LONG_NAMES = 88;
/** Below it the time is the time of day. */
const NARROW = 72;

/** @returns the row, without its line end; no wider than the terminal where the fixed parts are not */
export function eventRow(texts: EventTexts, shown: ShownEvent, screen: EventScreen): string {
  const said = saidOf(texts);
  const { id, event, who, amount } = texts;
  const time = timeOf(shown, screen);
  if (screen.isPlain) {
    const parts = [time, event, amount, who, ...said.map(({ text }) => text)];
    return [...parts, `event ${id.slice(1)}`].filter((part) => part !== '').join(', ');
  }
  const cells = cellsOf(texts, time, screen).map((cell) => laid(cell, screen));
  const used = cells.reduce((sum, { width }) => sum + width + GAP.length, 0);
  const line = cells.map(({ text }) => text + GAP).join('');
  const inPlace = fitted(said, screen.columns - used, screen);
  const inMore = fitted(said, screen.columns - used + (cells.at(-1)?.free ?? 0), screen);
  return (inMore === inPlace ? line + inPlace : line.trimEnd() + GAP + inMore).trimEnd();
}

/** Names and amounts that are longer than their columns move the others to the right, up to this. */
const MOST = 22;

interface Cell {
  text: string;
  width: number;
  /** More than the width where the text may be wider. */
  most?: number;
  isRight?: boolean;
  role?: Role;
}

/** All before the outcome. */
function cellsOf(texts: EventTexts, time: string, { columns }: EventScreen): Cell[] {
  const { id, mode, event, who, amount, reference } = texts;
  const isWide = columns >= WIDE;
  const isLong = columns >= LONG_NAMES;
  const fixed: Cell[] = [
    { text: time, width: columns < NARROW ? SHORT_TIME : TIME, role: 'muted' },
    { text: id, width: ID, most: MOST },
    ...(isWide ? [{ text: mode, width: MODE }] : []),
    isLong
      ? { text: event, width: NAME, most: MOST }
      : { text: event.replace(PREFIX, ''), width: SHORT_NAME, most: MOST },
    { text: amount, width: AMOUNT, most: MOST, isRight: true },
    ...(isWide ? [{ text: reference, width: REFERENCE }] : []),
  ];
  const taken = fixed.reduce((sum, { width }) => sum + width + GAP.length, 0);
  const room = columns - taken - GAP.length - (isWide ? WIDE_OUTCOME : OUTCOME);
  return room < LEAST_WHO ? fixed : [...fixed, { text: who, width: Math.min(room, MOST_WHO) }];
}

/** @returns the text in the width of its cell, which grows with it where it may */
function laid(
  { text, width, most = width, isRight = false, role }: Cell,
  { color, measure }: EventScreen,
): { text: string; width: number; free: number } {
  const cut = fitInto(text, most, measure);
  const cells = measure(cut);
  const padding = ' '.repeat(Math.max(0, width - cells));
  const painted = role ? painter({ color })(role, cut) : cut;
  const padded = isRight ? padding + painted : painted + padding;
  const free = isRight || cells === 0 ? 0 : padding.length;
  return { text: padded, width: Math.max(width, cells), free };
}

const PREFIX = /^(?:charge|card):(?=[a-z])/;

/** The outcome, after what matters more than it and before what matters less. */
function saidOf({ outcome, remarks }: EventTexts): Remark[] {
  const loud = remarks.filter(({ tint }) => tint !== undefined);
  const quiet = remarks.filter(({ tint }) => tint === undefined);
  // The event's name has said so.
  const told = { ...outcome, text: outcome.text.replace(/: (?:approved|declined)$/i, '') };
  return [...loud, told, ...quiet].filter(({ text }) => text !== '');
}

/** @returns as much as fits into so many cells, each remark in its colour */
function fitted(said: readonly Remark[], cells: number, { color, measure }: EventScreen): string {
  const paint = painter({ color });
  let left = Math.max(cells, LEAST_OUTCOME);
  let text = '';
  for (const { text: words, tint } of said) {
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
 * @returns the event's own time, after its date where that is another day's and there is room for it; else that of its
 *   receipt, marked as such
 */
function timeOf({ event, content }: ShownEvent, { columns, isPlain }: EventScreen): string {
  const received = new Date(event.receivedAt);
  const own = new Date(textOf(content.purchase?.transaction_date) ?? Number.NaN);
  const isOwn = !Number.isNaN(own.getTime());
  const at = isOwn ? own : received;
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  const isShort = columns < NARROW;
  if (!isOwn && isPlain) return `received ${clock}`;
  if (!isOwn) return `(${isShort ? clock.slice(0, HOUR_AND_MINUTE) : clock})`;
  if (isShort || at.toDateString() === received.toDateString()) return clock;
  const day = [at.getMonth() + 1, at.getDate()].map(two).join('-');
  return `${day} ${clock.slice(0, HOUR_AND_MINUTE)}`;
}

const HOUR_AND_MINUTE = 'hh:mm'.length;
const two = (part: number) => String(part).padStart(2, '0');
