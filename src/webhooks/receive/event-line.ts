/**
 * One event as one line: time, mode, event, who, how much, outcome, and then what is remarkable.
 *
 *   09:41:07  Sandbox  charge:successful  Ada Lovelace  25.00 AUD  Approved  #17  unauthenticated
 *
 * Every text of the delivery is cut and neutralised before it gets near a terminal.
 */
import type { Outcome } from '../../contract/normal.ts';
import type { Verification } from '../../events/event-store.ts';
import { cut, neutralise, toJson } from '../../redaction/safe.ts';
import { paint } from '../../view/color.ts';
import { amountText } from '../../view/values.ts';
import { type EventOutcome, OUTCOMES } from './delivery-content.ts';
import type { ShownEvent } from './event-record.ts';

const MAX_NAME = 40;
const MAX_WHO = 40;
const MAX_MESSAGE = 100;

export interface LineStyle {
  color: boolean;
  /** Parts in columns with the local time; else separated by tabs, with the time as it is kept. */
  isTerminal: boolean;
  /** The payload below the line. */
  verbose: boolean;
  /** The environment's mode, where the event's own is another. */
  expectedMode: string | undefined;
}

/** The word of each outcome, and the colour that it shares with the outcome of a record. */
const WORDS: Readonly<Record<EventOutcome, readonly [word: string, color?: Outcome]>> = {
  pending: ['Queued'],
  approved: ['Approved', 'approved'],
  declined: ['DECLINED', 'declined'],
  abandoned: ['ABANDONED', 'declined'],
  expiring: ['Card expires soon', 'unclear'],
  expired: ['CARD EXPIRED', 'declined'],
  unclear: ['UNCLEAR', 'unclear'],
  unknown: ['Unknown event', 'unclear'],
  bad: ['BAD DELIVERY', 'declined'],
};

const VERIFICATIONS: Readonly<Record<Verification['state'], readonly [string, isLoud: boolean]>> = {
  verified: ['verified', false],
  contradicted: ['CONTRADICTED', true],
  unverified: ['unverified', false],
  waiting: ['not verified yet', false],
};

/** @returns the line with its line end, and the payload's lines where they are asked for */
export function eventLine(shown: ShownEvent, style: LineStyle): string {
  const { event, content } = shown;
  const tint = (hue: Outcome | undefined, text: string) =>
    style.color && hue ? paint(hue, text) : text;
  const column = (text: string, width: number) => (style.isTerminal ? text.padEnd(width) : text);
  const outcome = OUTCOMES.find((known) => known === event.outcome) ?? 'unknown';
  const [word, color] = WORDS[outcome];
  const parts = [
    style.isTerminal ? localTime(event.receivedAt) : event.receivedAt,
    column(show(event.mode ?? 'no mode', MAX_NAME), 'Sandbox'.length),
    column(show(event.event ?? 'no event', MAX_NAME), 'charge:successful'.length),
    column(whoOf(shown), 20),
    column(content.purchase ? show(amountText(content.purchase) ?? '', MAX_NAME) : '', 12),
    tint(color, outcomeOf(shown, word)),
    `#${event.id}`,
    ...remarks(shown, style).map(({ text, isLoud }) => tint(isLoud ? 'declined' : undefined, text)),
  ];
  const line = style.isTerminal ? parts.join('  ').trimEnd() : parts.join('\t');
  return `${line}\n${style.verbose ? payloadLines(shown) : ''}`;
}

function whoOf({ content }: ShownEvent): string {
  const others = content.elements > 1 ? ` and ${content.elements - 1} more` : '';
  return show(content.who ?? '', MAX_WHO) + others;
}

function outcomeOf({ event, content }: ShownEvent, word: string): string {
  if (event.fault !== null) return `${word}: ${show(event.fault, MAX_MESSAGE)}`;
  const said = content.message === null ? '' : show(content.message, MAX_MESSAGE);
  return said === '' || said.toLowerCase() === word.toLowerCase() ? word : `${word}: ${said}`;
}

function remarks({ event }: ShownEvent, { expectedMode }: LineStyle) {
  const { duplicateOf, verification, authentication, isMasked } = event;
  const found: { text: string; isLoud: boolean }[] = [];
  const add = (text: string, isLoud = false) => found.push({ text, isLoud });
  if (expectedMode !== undefined) add(`MODE MISMATCH: ${expectedMode} expected`, true);
  if (duplicateOf !== null) add(`duplicate of #${duplicateOf}`);
  if (verification) {
    const [word, isLoud] = VERIFICATIONS[verification.state];
    const reason = show(verification.reason, MAX_MESSAGE);
    add(reason === '' ? word : `${word}: ${reason}`, isLoud);
  }
  if (authentication === 'none') add('unauthenticated');
  if (isMasked) add('masked before it was kept');
  return found;
}

function payloadLines({ event, content }: ShownEvent): string {
  const text =
    event.fault === null
      ? toJson(content.payload, 2)
      : neutralise(cut(Buffer.from(content.kept.body).toString('utf8'), 2_000));
  return text.replace(/^/gm, '    ').concat('\n');
}

function show(text: string, max: number): string {
  return cut(neutralise(cut(text, max)), max);
}

function localTime(iso: string): string {
  const at = new Date(iso);
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
