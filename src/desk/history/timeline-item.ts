/** The view of an item of a timeline: what happened, one line each. */

import type { JsonObject } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import { saysVoid } from '../../contract/normal.ts';
import {
  amountColumn,
  type Column,
  cuttable,
  extra,
  fieldColumn,
  type OwnView,
  operatorColumn,
  ownView,
  timeColumn,
  tintOf,
  utcText,
} from '../../view/columns.ts';
import type { Item } from '../../view/panels/ties.ts';
import { joinTexts, ORDINALS } from '../../view/panels/words.ts';
import { reasonBeside } from '../../view/reason.ts';
import { textOf } from '../../view/values.ts';

const FIELDS = [
  'at',
  'what',
  'text',
  'outcome',
  'amount',
  'currency',
  'reference',
  'id',
  'retry',
  'message',
  'who',
  'last_four',
  'purchase',
  'customer',
  'subscription',
  'plan',
  'profile',
  'environment',
  'sources',
  'operator',
  'note',
  'hearsay',
] as const;

/** @returns a sentence about the item, for example `Charge of SUB-7 declined: Insufficient Funds` */
function happeningText(item: Item): string {
  const { what } = item;
  if (item.isMoney) return moneyEventText(item);
  const { subscription, reference, who, id, lastFour, message } = item;
  const card = lastFour === null ? 'Card' : `Card …${lastFour}`;
  switch (what) {
    case 'announced':
      return `Charge of ${subscription ?? 'a subscription'} announced`;
    case 'card-expiring':
      return `${card} expires soon`;
    case 'card-expired':
      return `${card} expired: subscriptions stopped`;
    case 'customer':
      return joinTexts(['Customer', who ?? reference ?? id, 'created'], ' ');
    case 'subscription':
      return subscriptionText(item);
    case 'end':
      return joinTexts([`Subscription ${subscription ?? ''} ${item.label}`, message], ' ');
    case 'plan':
      return joinTexts(['Plan', who ?? reference], ' ');
    case 'card':
      return `${card} stored`;
    case 'deed':
      return deedText(item);
    default:
      return eventText(item, message);
  }
}

/** @returns for example `Subscription SUB-7 stopped`, `Customer Ada Byron changed: email` */
function deedText({ subscription, customer, who, id, plan, label, message }: Item): string {
  const subject =
    subscription !== null
      ? `Subscription ${subscription}`
      : customer !== null
        ? `Customer ${who ?? customer}`
        : plan !== null
          ? `Plan ${who ?? plan}`
          : (id ?? '');
  if (label === 'moving') return `${subject} moved to ${message}`;
  return joinTexts([joinTexts([subject, label], ' '), message], ': ');
}

/** It stands at its first day, and its state is that of now. */
function subscriptionText({ subscription, label, outcome, message }: Item): string {
  const state = joinTexts([outcome, outcome === 'active' && message]);
  const now = state === '' ? '' : `(now ${state})`;
  const said = joinTexts([label, now], ' ');
  return joinTexts([`Subscription ${subscription ?? ''} starts`, said], ': ');
}

function eventText({ what, label, outcome }: Item, message: string | null): string {
  const name =
    what === 'request'
      ? joinTexts([capitalised(label ?? 'request'), outcome], ' ')
      : `Event ${label ?? 'without a name'}`;
  if (outcome === 'contradicted') return `${name} that the gateway contradicts`;
  return message === null ? name : `${name}: ${message}`;
}

function moneyEventText(item: Item): string {
  const { what, outcome, retry, subscription, purchase, label, message } = item;
  const subject = {
    charge: joinTexts(['Charge of', subscription ?? 'a subscription'], ' '),
    retry: joinTexts(
      [capitalised(ORDINALS[retry - 1] ?? `${retry}th`), 'retry of', subscription],
      ' ',
    ),
    refund: joinTexts(['Refund', purchase && `of ${purchase}`], ' '),
  }[what as string];
  const isVoid = saysVoid(message);
  const words = isVoid ? 'voided' : (OUTCOMES[outcome ?? ''] ?? outcome ?? '');
  const said = isVoid || outcome === 'unknown' ? '' : reasonBeside(outcome, message);
  const request = capitalised(label ?? 'request');
  const happening = joinTexts(
    [subject ?? (what === 'purchase' ? 'Purchase' : request), words],
    ' ',
  );
  return joinTexts([happening, said], ': ');
}

const OUTCOMES: Readonly<Record<string, string>> = {
  approved: 'approved',
  declined: 'declined',
  unclear: 'of unclear outcome',
  unknown: 'of unknown outcome: it may have happened',
  rejected: 'rejected',
  'not-sent': 'not sent',
  'not-done': 'not done',
  released: 'proposal approved',
  withdrawn: 'proposal rejected',
};

const whatColumn: Column = {
  header: 'what',
  text: (record) => textOf(record.text),
  ...cuttable,
  wraps: true,
  tinted: true,
};

/**
 * @param items to show
 * @param self name of the operator who is looking
 */
export function itemView(items: readonly Item[], self: string): OwnView<Item> {
  const operators = items.map(({ operator }) => operator);
  return ownView({
    name: 'entry',
    plural: 'entries',
    mayHave: FIELDS,
    columns: [
      timeColumn('at', { header: 'time' }),
      whatColumn,
      amountColumn,
      fieldColumn('reference', { ...cuttable, ...extra }),
      fieldColumn('id'),
      { header: 'known from', text: sourcesText, ...extra },
      fieldColumn('profile', extra),
      operatorColumn(operators, self),
    ],
    outcome: ({ outcome = null }) => {
      if (outcome === null) return undefined;
      return outcome === 'active' ? 'approved' : tintOf(outcome);
    },
    computed: (item: Item) => ({
      at: utcText(item.at),
      text: joinTexts(
        [happeningText(item), item.hearsay && '(unverified)', item.note && `“${item.note}”`],
        ' ',
      ),
      retry: item.retry === 0 ? null : item.retry,
      purchase: item.isRefund ? item.purchase : null,
    }),
  });
}

function sourcesText({ sources }: JsonObject): string | undefined {
  if (!Array.isArray(sources)) return undefined;
  const names = sources.map((source) => {
    const { kind, id } = source as { kind: string; id: string };
    return kind === 'record' ? 'record' : `${kind} ${id.slice(0, 8)}`;
  });
  return names.join(', ');
}
