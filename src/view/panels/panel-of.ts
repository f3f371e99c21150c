/** The panel of each kind of record. */

import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { plural, quantity } from '../../base/text.ts';
import { type Outcome, outcomeOf, paidOf } from '../../contract/normal.ts';
import type { RecordKind } from '../../contract/record.ts';
import { FREQUENCIES } from '../../contract/resources/subscription.ts';
import { stateOf } from '../../things/subscription-state.ts';
import { outcomeText, type PanelContent, type PanelLine } from '../columns.ts';
import { amountText, textOf } from '../values.ts';
import type { CurrencySums, Item, ShownTies } from './ties.ts';
import {
  ageOf,
  CAUSES,
  type Clocks,
  cardRow,
  customerRow,
  dayOfInstant,
  itemRow,
  joinTexts,
  lastChargeOf,
  money,
  nextText,
  paidUntil,
  panelLines,
  personText,
  planPrice,
  planRow,
  standingOf,
  statusText,
  subscriptionRow,
  sumOfRefunds,
  timeText,
  triesText,
} from './words.ts';

export interface Shown {
  /** In normal form. */
  record: JsonObject;
  ties: ShownTies;
  moment: Clocks;
}

const NO_TIES: ShownTies = {
  purchase: null,
  customer: null,
  plan: null,
  subscriptions: [],
  subscriptionCount: 0,
  card: null,
  items: [],
  sums: [],
  stopCause: undefined,
  isCut: false,
};

/** @returns the panel of a record by itself, without related records */
export function panelAlone(kind: RecordKind, record: JsonObject, now: Date): PanelContent {
  const today = now.toISOString().slice(0, 10);
  return panelContent(kind, {
    record,
    ties: NO_TIES,
    moment: { since: now.toISOString(), now, today },
  });
}

/** The most rows of a list that may have thousands; the latest are shown. */
const MOST_ROWS = 5;

const PANELS: Readonly<Record<RecordKind, (shown: Shown) => PanelContent>> = {
  purchase: purchasePanel,
  refund: refundPanel,
  customer: customerPanel,
  subscription: subscriptionPanel,
  plan: planPanel,
  card: cardPanel,
};

/** @returns the content of a record's panel */
export const panelContent = (kind: RecordKind, shown: Shown): PanelContent => PANELS[kind](shown);

const title = (kind: string, record: JsonObject, reference = textOf(record.reference)) =>
  joinTexts([`${kind} ${textOf(record.id) ?? ''}`.trimEnd(), reference]);

function moneyHead(kind: RecordKind, record: JsonObject) {
  const outcome: Outcome = outcomeOf(kind, record);
  const words = outcomeText(outcome, record) ?? 'UNCLEAR';
  return {
    outcome,
    head: joinTexts([words, partText(record), timeText(record.transaction_date)], '  '),
  };
}

/** @returns `10.00 AUD of 25.00 AUD` if only a part was captured */
function partText(record: JsonObject): string | undefined {
  const all = amountText({ ...record, captured_amount: null });
  const text = amountText(record);
  return text === all ? all : `${text} of ${all}`;
}

const MONEY_FIELDS = [
  'id',
  'amount',
  'decimal_amount',
  'currency',
  'successful',
  'authorized',
  'message',
  'reference',
  'transaction_date',
  'refunded',
];
const CARD_FIELDS = ['card_number', 'card_holder', 'card_expiry'];

function ownCard(record: JsonObject, moment: Clocks): PanelLine[] {
  if (textOf(record.card_number) === undefined) return [];
  return [cardRow({ kind: 'card', id: '', record, seenAt: moment.since }, moment)];
}

function purchasePanel({ record, ties, moment }: Shown): PanelContent {
  const { customer, subscriptions, plan } = ties;
  return {
    ...moneyHead('purchase', record),
    title: title('Purchase', record),
    rows: [
      ...ownCard(record, moment),
      ...senderRow(ties.items.find((item) => !item.isRefund && item.id === record.id)),
      ...(customer ? [customerRow(customer, moment)] : []),
      ...labelled(
        'subscription',
        subscriptions.map((one) => subscriptionRow(one, moment)),
      ),
      ...(plan ? [planRow(plan, moment)] : []),
      ...refundRows(ties.items, record, moment),
    ],
    shown: [...MONEY_FIELDS, ...CARD_FIELDS],
  };
}

/** The operator who sent the request, and why, if the journal knows. */
function senderRow(own: Item | undefined): PanelLine[] {
  return [
    ...panelLines('sent by', own?.operator ?? undefined),
    ...panelLines('note', own?.note ?? undefined),
  ];
}

/** The last change that a person made to the record with gw: when, who and why. */
function deedRow(items: readonly Item[], { id }: JsonObject, isMoved = false): PanelLine[] {
  const deeds = items.filter((item) => item.what === 'deed' && item.id === id);
  // A move ends with a stop, which says less.
  const last = deeds.findLast(({ label }) => label !== 'stopped' || !isMoved);
  const deed = isMoved ? deeds.findLast(({ label }) => label === 'moving') : last;
  if (!deed) return [];
  const { label, message, at, operator, note } = deed;
  const what = message && `${isMoved ? 'to ' : ''}${message} on`;
  const who = joinTexts([what, dayOfInstant(at), `by ${operator}`], ' ');
  return panelLines(isMoved ? 'moved' : (label ?? ''), joinTexts([who, note && `“${note}”`]));
}

/** The known refunds of a purchase, and the amount that is left. */
function refundRows(items: readonly Item[], purchase: JsonObject, moment: Clocks): PanelLine[] {
  const refunds = items.filter(({ isRefund }) => isRefund).toReversed();
  if (refunds.length === 0) return [];
  const rows = refunds.slice(0, MOST_ROWS).map((item) => itemRow(item, moment));
  return [
    { label: 'refunds', text: leftText(refunds, paidOf(purchase), purchase.currency) },
    ...rows,
    ...more(refunds.length - rows.length, 'refund', 'refunds'),
  ];
}

/** @param paid of the purchase; null if it is not known */
function leftText(
  refunds: readonly Item[],
  paid: number | null,
  currency: Json | undefined,
): string {
  const code = textOf(currency) ?? null;
  const { refunded, uncertain, left } = sumOfRefunds(refunds, paid);
  return joinTexts([
    `${money(refunded, code)} refunded`,
    uncertain > 0 && `${money(uncertain, code)} perhaps (outcome unknown)`,
    left !== undefined && `${money(left, code)} left, as far as gw knows`,
  ]);
}

function refundPanel({ record, ties, moment }: Shown): PanelContent {
  const { purchase, items, customer } = ties;
  const own = items.find(({ id, isRefund }) => isRefund && id === record.id);
  const currency = record.currency ?? own?.currency ?? null;
  const rows: PanelLine[] = [...ownCard(record, moment), ...senderRow(own)];
  if (customer) rows.push(customerRow(customer, moment));
  if (purchase) {
    const paid = items.find(({ id, isRefund }) => !isRefund && id === purchase.id);
    const words = paid ? itemRow(paid, moment).text : purchase.id;
    rows.push({
      ...{ label: 'purchase', text: words, name: purchase.id },
      age: ageOf(purchase.seenAt, moment),
    });
    const refunds = items.filter(({ isRefund }) => isRefund);
    const amount = paidOf(purchase.record) ?? paid?.amount ?? null;
    rows.push({ label: 'of it', text: leftText(refunds, amount, paid?.currency) });
  }
  return {
    ...moneyHead('refund', { ...record, currency }),
    title: title('Refund', record, textOf(record.reference) ?? own?.reference ?? undefined),
    rows,
    shown: [...MONEY_FIELDS, ...CARD_FIELDS],
  };
}

function customerPanel({ record, ties, moment }: Shown): PanelContent {
  const created = textOf(record.created_at);
  return {
    head: personText(record) || 'Customer',
    title: joinTexts([title('Customer', record), created && `since ${dayOfInstant(created)}`]),
    rows: [
      ...(ties.card ? [cardRow(ties.card, moment)] : []),
      ...labelled(
        'subscriptions',
        ties.subscriptions.map((one) => subscriptionRow(one, moment, ties.items)),
      ),
      ...more(ties.subscriptionCount - ties.subscriptions.length, 'subscription', 'subscriptions'),
      ...paidRows(ties, moment),
      ...addressRow(record.address),
      ...deedRow(ties.items, record),
    ],
    shown: [
      ...['id', 'first_name', 'last_name', 'email', 'reference', 'created_at', 'address'],
      ...(ties.card ? CARD_FIELDS : []),
    ],
  };
}

function addressRow(address: Json | undefined): PanelLine[] {
  const lines = isObject(address) ? Object.values(address).map(textOf) : [textOf(address)];
  const text = joinTexts(lines);
  return text === '' ? [] : [{ label: 'address', text }];
}

/** The amounts paid in each currency, and the last charge. */
function paidRows({ sums, items, isCut }: ShownTies, moment: Clocks): PanelLine[] {
  const last = lastChargeOf(items);
  const rows = sums.map((one): PanelLine => ({ text: sumText(one) }));
  return [
    ...labelled('paid', rows),
    ...(last ? labelled('last charge', [itemRow(last, moment)]) : []),
    ...(isCut ? [{ text: 'There are more than gw reads at once. The oldest are missing.' }] : []),
  ];
}

function sumText(sums: CurrencySums): string {
  const { currency, paid, refunded, unpaid, notRefunded, unknown, heard } = sums;
  const part = (name: string, { count, amount }: CurrencySums['paid']) =>
    count > 0 && `${money(amount, currency)} ${name} (${count})`;
  return joinTexts([
    `${money(paid.amount, currency)} in ${quantity(paid.count, 'payment', 'payments')}`,
    part('refunded', refunded),
    unpaid.count > 0 && `${money(unpaid.amount, currency)} unpaid (${triesText(unpaid)})`,
    part('of refunds declined', notRefunded),
    part('perhaps', unknown),
    part('not counted, from unverified webhooks alone', heard),
  ]);
}

const HEADS = {
  active: 'Active',
  stopped: 'STOPPED',
  // The end follows.
  ended: undefined,
  unknown: 'Subscription',
} as const;

function subscriptionPanel({ record, ties, moment }: Shown): PanelContent {
  const charges = ties.items.filter(({ isMoney, isRefund }) => isMoney && !isRefund).toReversed();
  const state = HEADS[stateOf(record, moment.today) ?? 'unknown'];
  const [last] = charges;
  const said = statusText(record, last);
  const cause = record.is_active === false && ties.stopCause && CAUSES[ties.stopCause];
  const status = joinTexts([cause && `stopped ${cause}`, said], '; ') || undefined;
  const rows: PanelLine[] = [
    ...(status === undefined ? [] : [{ label: 'status', text: status }]),
    ...deedRow(ties.items, record, ties.stopCause === 'moved'),
    ...(ties.customer ? [customerRow(ties.customer, moment)] : []),
    ...(ties.plan ? [planRow(ties.plan, moment)] : []),
    ...(ties.card ? [cardRow(ties.card, moment)] : []),
    ...labelled(
      'last charges',
      charges.slice(0, MOST_ROWS).map((item) => itemRow(item, moment)),
    ),
    ...more(charges.length - MOST_ROWS, 'charge', 'charges'),
    ...labelled(
      'in all',
      ties.sums.map((one) => ({ text: sumText(one) })),
    ),
  ];
  return {
    outcome: standingOf(record, ties.stopCause),
    head: joinTexts(
      [
        state,
        textOf(record.frequency),
        nextText(record, 'next billing', moment) ?? paidUntil(record),
      ],
      '  ',
    ),
    title: title('Subscription', record),
    rows,
    shown: [
      'id',
      'reference',
      'is_active',
      'frequency',
      'next_billing_date',
      'last_status',
      ...(ties.customer ? ['customer'] : []),
      ...(ties.plan ? ['plan'] : []),
    ],
  };
}

function planPanel({ record, ties, moment }: Shown): PanelContent {
  const { subscriptions, subscriptionCount: count, items } = ties;
  const made = textOf(record.subscription_count);
  const rows = subscriptions.slice(0, MOST_ROWS).map((one) => subscriptionRow(one, moment, items));
  const currency = items.find(({ what, id }) => what === 'plan' && id === record.id)?.currency;
  const known = joinTexts([made && `${made} ever`, count > 0 && `${count} known here`]);
  return {
    head: joinTexts([textOf(record.name) ?? 'Plan', planPrice({ record, currency })], '  '),
    title: title('Plan', record),
    rows: [
      // A plan has no frequency, which people look for here.
      { label: 'billed', text: frequenciesText(items) },
      ...panelLines('subscriptions', known),
      ...rows,
      ...more(count - rows.length, 'subscription', 'subscriptions'),
      ...paidRows(ties, moment),
      ...deedRow(ties.items, record),
    ],
    shown: ['id', 'name', 'reference', 'amount', 'currency', 'subscription_count'],
  };
}

/** @returns for example `11 active: 10 Monthly, 1 Weekly` */
function frequenciesText(items: readonly Item[]): string {
  const active = items.filter(
    ({ what, outcome }) => what === 'subscription' && outcome === 'active',
  );
  if (active.length === 0) return 'each subscription has its own frequency';
  const counts = FREQUENCIES.flatMap((name) => {
    const billed = active.filter(({ label }) => label === name).length;
    return billed === 0 ? [] : [`${billed} ${name}`];
  });
  return `${active.length} active: ${counts.join(', ')}`;
}

function cardPanel({ record, ties, moment }: Shown): PanelContent {
  const { customer } = ties;
  const outcome = outcomeOf('card', record);
  return {
    outcome,
    head: joinTexts([outcomeText(outcome, record), textOf(record.card_number)], '  '),
    title: joinTexts([`Card ${textOf(record.token) ?? ''}`, textOf(record.alias)]),
    rows: [
      ...ownCard(record, moment),
      ...(customer ? [customerRow(customer, moment)] : []),
      ...paidRows(ties, moment),
    ],
    shown: ['token', 'alias', 'authorized', 'successful', ...CARD_FIELDS],
  };
}

/** Rows under one label, which the first row shows. */
function labelled(label: string, rows: readonly PanelLine[]): PanelLine[] {
  return rows.map((row, index) => (index === 0 ? { label, ...row } : row));
}

function more(count: number, one: string, many: string): PanelLine[] {
  return count > 0
    ? [{ text: `and ${count} more ${plural(count, one, many)}: see gw history` }]
    : [];
}
