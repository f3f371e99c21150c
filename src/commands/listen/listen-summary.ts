/**
 * The summary that `gw listen` prints when it ends: the number of events by name, the charged amounts, and the events
 * passed on.
 */
import { plural, quantity } from '../../base/text.ts';
import { moneyText } from '../../contract/money.ts';
import { amountOf } from '../../contract/normal.ts';
import { type StoredEvent, trustOf } from '../../events/event.ts';
import type { DeliveryContent } from '../../events/read/read-delivery.ts';
import { cut, neutralise } from '../../host/redaction/safe.ts';

/** The results of passing events on. */
export interface PassedOn {
  target: string;
  taken: number;
  /** Those of the taken ones that an earlier run received. */
  takenEarlier: number;
  waiting: number;
  withheld: number;
}

interface Counted {
  count: number;
  /** The approved charges in minor units, by currency; '' for an unnamed currency. Hearsay is added up apart. */
  sums: Map<string, number>;
  heard: Map<string, number>;
}

const MAX_NAME = 40;
/** The most names that are counted separately. */
const MAX_NAMES = 12;

export class ListenSummary {
  /** By the mode in deliveries, then by the event's name. */
  readonly #modes = new Map<string | null, Map<string, Counted>>();
  #duplicates = 0;
  #late = 0;
  #bad = 0;
  #notBelieved = { contradicted: 0, sample: 0 };

  /** Counts an event that is shown. */
  add(
    event: Pick<StoredEvent, 'event' | 'fault' | 'duplicateOf' | 'mode' | 'outcome'> &
      Parameters<typeof trustOf>[0],
    { parts }: Pick<DeliveryContent, 'parts'>,
  ): void {
    if (event.fault !== null) {
      this.#bad++;
      return;
    }
    if (event.duplicateOf !== null) {
      this.#duplicates++;
      return;
    }
    const trust = trustOf(event);
    if (trust === 'contradicted' || trust === 'sample') {
      this.#notBelieved[trust]++;
      return;
    }
    const names = take(this.#modes, event.mode, () => new Map());
    const name = event.event ?? 'no event';
    const key = names.has(name) || names.size < MAX_NAMES ? name : 'other events';
    const tally = take(names, key, () => ({ count: 0, sums: new Map(), heard: new Map() }));
    tally.count++;
    if (event.outcome === 'approved') addMoney(trust === 'heard' ? tally.heard : tally.sums, parts);
  }

  /** Counts an event that came after the last one that was asked for: it is kept and passed on, and not shown. */
  addLate({ fault }: Pick<StoredEvent, 'fault'>): void {
    if (fault === null) this.#late++;
    else this.#bad++;
  }

  /** @returns one sentence for each line, without line ends */
  lines(passedOn: PassedOn | undefined): string[] {
    const modes = [...this.#modes];
    const lines = modes.map(([mode, names]) => {
      const where = modes.length > 1 ? whereOf(mode) : '';
      const counts = [...names.values()].reduce((sum, { count }) => sum + count, 0);
      const each = [...names].map(([name, tally]) => eachText(name, tally)).join(', ');
      return `Received ${quantity(counts, 'event', 'events')}${where}: ${each}.`;
    });
    const { contradicted, sample } = this.#notBelieved;
    const more = [
      this.#duplicates > 0 && quantity(this.#duplicates, 'duplicate', 'duplicates'),
      this.#bad > 0 && quantity(this.#bad, 'bad delivery', 'bad deliveries'),
      contradicted > 0 && `${contradicted} contradicted`,
      sample > 0 && quantity(sample, 'sample', 'samples'),
      this.#late > 0 && `${this.#late} that came after the last one`,
    ].filter((text) => text !== false);
    if (lines.length === 0) lines.push(more.length > 0 ? 'No event counts.' : 'No events came.');
    if (more.length > 0) lines.push(`Not counted: ${more.join(', ')}.`);
    return passedOn ? [...lines, ...passedOnLines(passedOn)] : lines;
  }
}

function addMoney(sums: Counted['sums'], parts: DeliveryContent['parts']): void {
  for (const { purchase } of parts) {
    const { currency } = purchase ?? {};
    const amount = amountOf(purchase ?? {});
    const key = typeof currency === 'string' ? currency : '';
    if (amount !== null) sums.set(key, (sums.get(key) ?? 0) + amount);
  }
}

function eachText(name: string, { count, sums, heard }: Counted): string {
  const texts = (all: Counted['sums']) =>
    [...all].map(([currency, sum]) => moneyText(sum, short(currency)));
  const money = [...texts(sums), ...texts(heard).map((text) => `${text} unverified`)].join(', ');
  return `${count} ${short(name)}${money === '' ? '' : ` (${money})`}`;
}

function passedOnLines({ target, taken, takenEarlier, waiting, withheld }: PassedOn): string[] {
  const earlier = `, of which ${quantity(takenEarlier, 'was', 'were')} received earlier`;
  const events = quantity(taken, 'event', 'events');
  const lines = [`Passed on to ${target}: ${events}${takenEarlier > 0 ? earlier : ''}.`];
  if (waiting > 0)
    lines.push(
      `${quantity(waiting, 'event waits', 'events wait')} for it; the next \`gw listen --forward-to\` passes ${plural(waiting, 'it', 'them')} on.`,
    );
  if (withheld > 0)
    lines.push(
      `${quantity(withheld, 'event was', 'events were')} not passed on, because the gateway did not confirm ${plural(withheld, 'it', 'them')}: \`gw events list\` shows what it says.`,
    );
  return lines;
}

function short(text: string): string {
  return cut(neutralise(cut(text, MAX_NAME)), MAX_NAME);
}

function whereOf(mode: string | null): string {
  return mode === null ? ' without a mode' : ` in ${short(mode)} mode`;
}

function take<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
