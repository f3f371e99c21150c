/**
 * One event as one line. In a pipe its parts are separated by tabs: time, mode, event, who, how much, outcome,
 * number, and then what is remarkable. On a terminal it is a row (event-row.ts).
 *
 * Every text of the delivery is cut and neutralised before it gets near a terminal.
 */
import { type Outcome, saysVoid } from '../../contract/normal.ts';
import { cut, neutralise, toJson } from '../../host/redaction/safe.ts';
import { VOIDED } from '../../view/columns.ts';
import { painter } from '../../view/text/color.ts';
import { amountText, textOf } from '../../view/values.ts';
import type { Verification } from '../event.ts';
import { type EventOutcome, OUTCOMES } from '../read/read-delivery.ts';
import { type EventScreen, type EventTexts, eventRow, type Remark } from './event-row.ts';
import type { ShownEvent } from './event-view.ts';

const MAX_NAME = 40;
const MAX_WHO = 40;
const MAX_MESSAGE = 100;

export interface LineStyle {
  /** The terminal; none where the line goes into a pipe. */
  screen: EventScreen | undefined;
  color: boolean;
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
  const { screen, verbose, expectedMode } = style;
  const texts = textsOf(shown, expectedMode);
  const line = screen ? eventRow(texts, shown, screen) : tabs(texts, shown, style);
  return `${line}\n${verbose ? payloadLines(shown) : ''}`;
}

function textsOf(shown: ShownEvent, expectedMode: string | undefined): EventTexts {
  const { event, content } = shown;
  const known = OUTCOMES.find((one) => one === event.outcome) ?? 'unknown';
  const [word, tint] = WORDS[known];
  const { purchase, subscription } = content;
  return {
    id: `#${event.id}`,
    mode: show(event.mode ?? 'no mode', MAX_NAME),
    event: show(event.event ?? 'no event', MAX_NAME),
    who: whoOf(shown),
    amount: purchase ? show(amountText(purchase) ?? '', MAX_NAME) : '',
    reference: show(textOf(subscription?.reference) ?? '', MAX_NAME),
    outcome: { text: outcomeOf(shown, word), tint },
    remarks: remarks(shown, expectedMode),
  };
}

function tabs(texts: EventTexts, { event }: ShownEvent, { color }: LineStyle): string {
  const { id, mode, event: name, who, amount } = texts;
  const paint = painter({ color });
  const [outcome, ...said] = [texts.outcome, ...texts.remarks].map(({ text, tint }) =>
    tint ? paint(tint, text) : text,
  );
  const unsure = event.authentication === 'none' ? ['unauthenticated'] : [];
  const parts = [event.receivedAt, mode, name, who, amount, outcome, id, ...said, ...unsure];
  return parts.join('\t');
}

function whoOf({ content }: ShownEvent): string {
  const others = content.elements > 1 ? ` and ${content.elements - 1} more` : '';
  return show(content.who ?? '', MAX_WHO) + others;
}

function outcomeOf({ event, content }: ShownEvent, word: string): string {
  if (event.fault !== null) return `${word}: ${show(event.fault, MAX_MESSAGE)}`;
  if (saysVoid(content.message)) return VOIDED;
  const said = content.message === null ? '' : show(content.message, MAX_MESSAGE);
  return said === '' || said.toLowerCase() === word.toLowerCase() ? word : `${word}: ${said}`;
}

function remarks({ event }: ShownEvent, expectedMode: string | undefined): Remark[] {
  const { duplicateOf, verification, isMasked } = event;
  const found: Remark[] = [];
  if (expectedMode !== undefined)
    found.push({ text: `MODE MISMATCH: ${expectedMode} expected`, tint: 'declined' });
  if (duplicateOf !== null) found.push({ text: `duplicate of #${duplicateOf}` });
  if (verification) {
    const [word, isLoud] = VERIFICATIONS[verification.state];
    const reason = show(verification.reason, MAX_MESSAGE);
    const tint = isLoud ? 'declined' : undefined;
    found.push({ text: reason === '' ? word : `${word}: ${reason}`, tint });
  }
  if (isMasked) found.push({ text: 'masked before it was kept' });
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
