/** The charges and refunds of a period, one by one: the rows behind the sums of `moneyReport`. */
import { DAY_MS } from '../../base/calendar.ts';
import type { SearchScope } from '../../things/scope.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import type { Movement } from '../../view/records/report.ts';
import { isRefund, whatOf } from './money-report.ts';
import { compareValues, type RowFrame } from './report-row.ts';

const KINDS = ['purchase', 'refund', 'request', 'event'] as const;
const WHAT = { purchases: 'purchase', charges: 'charge', refunds: 'refund' } as const;

/** A movement, with its thing. */
export interface Moved {
  movement: Movement;
  thing: Thing;
}

/**
 * @param hasDeclines whether to include declined attempts, which moved no money
 * @returns the movements of the period, oldest first
 */
export async function movementsIn(
  things: Pick<SearchIndex, 'each'>,
  scope: SearchScope,
  { from, until, operator }: Pick<RowFrame, 'from' | 'until' | 'operator'>,
  hasDeclines = false,
): Promise<Moved[]> {
  const found: Moved[] = [];
  const period = { since: from, until };
  for await (const thing of things.each({ kinds: KINDS, scope, ...period, operator })) {
    const movement = movementOf(thing);
    if (movement && (hasDeclines || movement.what !== 'declined')) found.push({ movement, thing });
  }
  return found.sort((one, other) =>
    compareValues(Date.parse(one.movement.at), Date.parse(other.movement.at)),
  );
}

function movementOf(thing: Thing): Movement | undefined {
  const counts = whatOf(thing);
  const isMoney = counts === 'purchases' || counts === 'charges' || counts === 'refunds';
  if (!isMoney && counts !== 'declines') return undefined;
  const { at, id, amount, note, message } = thing;
  const isBack = isRefund(thing);
  return {
    ...thing,
    at,
    id,
    what: isMoney ? WHAT[counts] : 'declined',
    amount: amount !== null && isBack ? -Math.abs(amount) : amount,
    purchase: isBack ? thing.purchase : null,
    reason: note ?? (isMoney ? null : message),
  };
}

/**
 * @param moved oldest first
 * @returns groups of payments with the same card and amount, each within a day of the one before
 */
export function doublesIn(moved: readonly Moved[]): Movement[][] {
  const open = new Map<string, Moved[][]>();
  for (const one of moved) {
    const { lastFour, amount, currency, what } = one.movement;
    if (lastFour === null || amount === null || what === 'refund') continue;
    const key = JSON.stringify([lastFour, amount, currency]);
    const groups = open.get(key) ?? [];
    const group = groups.find((some) => isDouble(some.at(-1), one));
    if (group) group.push(one);
    else open.set(key, [...groups, [one]]);
  }
  const doubles = [...open.values()].flat().filter(({ length }) => length > 1);
  return doubles.map((group) => group.map(({ movement }) => movement));
}

/** Four digits do not identify a card. Its token does, or else its holder. */
function isDouble(before: Moved | undefined, { movement, thing }: Moved): boolean {
  if (!before || Date.parse(movement.at) - Date.parse(before.movement.at) >= DAY_MS) return false;
  return before.thing.token !== null && thing.token !== null
    ? before.thing.token === thing.token
    : before.movement.who === movement.who;
}
