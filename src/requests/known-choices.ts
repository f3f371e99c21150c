/** Choices for a field: plans as the gateway lists them, other records as this machine has seen them. */

import type { JsonObject } from '../base/json.ts';
import { capitalised, textOrNull } from '../base/text.ts';
import { type KnownRecord, type KnownRecords, pickOrType } from '../cli/body/pick-or-type.ts';
import type { Questions } from '../cli/body/questions.ts';
import { checkedId, checkOne } from '../cli/body/read-ids.ts';
import { moneyText } from '../contract/money.ts';
import { outcomeOf } from '../contract/normal.ts';
import { dateOf } from '../contract/record-date.ts';
import type { RecordKind } from '../contract/record-id.ts';
import { customerDelete } from '../contract/resources/customer.ts';
import { planList } from '../contract/resources/plan.ts';
import { refundCreate } from '../contract/resources/refund.ts';
import { Failure } from '../failure.ts';
import { leftOf } from '../journal/balance.ts';
import type { RememberedRecord } from '../journal/ledger.ts';
import { missingArgument } from './asked-argument.ts';
import type { Session } from './session.ts';

/** The most records that are offered by another name than their id. */
const MOST_KNOWN = 200;

/** The kind of record that a field names. */
const KINDS: Readonly<Record<string, RecordKind>> = { customer: 'customer' };

/**
 * The id of a record to change: the argument, or a pick from the known records.
 * @param id as it was given, if it was
 * @param by the field that names the picked record
 * @throws Failure usage if it is missing and gw cannot ask
 */
export async function askedId(
  { session, questions }: { session: Session; questions: Questions },
  id: string | undefined,
  kind: RecordKind,
  by: 'id' | 'reference' = 'id',
): Promise<string> {
  if (id !== undefined) {
    checkOne(id, kind);
    return checkedId(id);
  }
  if (!session.options.mayAsk)
    throw missingArgument('ID', 'Run the command with --help to see what it takes.', {
      sent: false,
    });
  const known =
    kind === 'plan' ? await planChoices(session, 'id') : await knownChoices(session, kind, by);
  const picked = await pickOrType(questions, capitalised(kind), known, ` (its ${by})`);
  questions.args.push(picked);
  return picked;
}

/** @returns as `FieldPrompter.choicesOf` */
export async function choicesOf(session: Session, name: string): Promise<KnownRecords | undefined> {
  if (name === 'plan') return planChoices(session);
  if (name === 'transaction_id') return refundableChoices(session);
  const kind = KINDS[name];
  return kind && knownChoices(session, kind);
}

/** @returns the plans of the gateway; undefined if it cannot be asked */
export async function planChoices(
  session: Session,
  by: 'id' | 'reference' = 'reference',
): Promise<KnownRecords | undefined> {
  try {
    const { records } = await session.call(planList, { query: {} });
    return {
      title: 'Plans of the gateway:',
      listed: records.flatMap((plan) => choiceOf(plan, by)),
      more: 'More plans: `gw plan list`.',
    };
  } catch (error) {
    // A plan can still be typed.
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return undefined;
  }
}

/** @returns the records of a kind that were seen here for the account, latest seen first, without deleted ones */
export async function knownChoices(
  session: Session,
  kind: RecordKind,
  by: 'id' | 'reference' = 'id',
): Promise<KnownRecords> {
  const choices = (await ownRecords(session, kind)).flatMap(({ record }) => choiceOf(record, by));
  return {
    title: `${capitalised(kind)}s known here, latest seen first:`,
    listed: [...new Map(choices.map((choice) => [choice.value, choice])).values()],
    more: `More ${kind}s: \`gw ${kind} list\`.`,
  };
}

/** @returns the purchases that were seen here for the account and may be refunded, each with the amount that is left */
export async function refundableChoices(session: Session): Promise<KnownRecords> {
  const own = await ownRecords(session, 'purchase');
  const approved = own.filter(({ record }) => outcomeOf('purchase', record) === 'approved');
  const byId = new Map(approved.map((one) => [one.id, one]));
  const balances = await session.gateway.ledger.balances([...byId.keys()]);
  const choices: KnownRecord[] = [];
  for (const [id, seen] of byId) {
    const { name, lastFour, reference, record } = seen;
    const balance = balances.get(id);
    const left = balance ? leftOf(balance) : 0;
    if (!balance || (left === 0 && session.options.refusesOverRefunds)) continue;
    const body = { transaction_id: id };
    const currency =
      textOrNull(record.currency) ??
      (await session.gateway.ledger.currencyOf(refundCreate, { body }));
    const card = lastFour && `card ending ${lastFour}`;
    const parts = [
      `${moneyText(left, currency)} left`,
      name,
      card,
      dateOf(seen).slice(0, 10),
      reference,
    ];
    const hint = parts.filter(Boolean).join(', ');
    choices.push({ value: id, name: id, hint, aliases: reference === null ? [] : [reference] });
  }
  return {
    title: 'Purchases that can be refunded, latest seen first:',
    listed: choices,
    more: 'More purchases: `gw purchase list`.',
  };
}

async function ownRecords(session: Session, kind: RecordKind): Promise<RememberedRecord[]> {
  const remembered = await session.gateway.ledger.remembered(kind, MOST_KNOWN);
  return remembered.filter(({ seenBy }) => seenBy !== customerDelete.name);
}

function choiceOf(record: JsonObject, by: 'id' | 'reference'): KnownRecord[] {
  const value = record[by] ?? record.id;
  if (typeof value !== 'string') return [];
  const hint = hintOf(record, value);
  const aliases = [record.id, record.reference, record.email].filter(
    (one) => typeof one === 'string',
  );
  return [{ value, name: value, aliases, ...(hint === '' ? {} : { hint }) }];
}

/** @returns the words by which a person recognises it: a name, an email, money, a reference */
function hintOf(record: JsonObject, value: string): string {
  const { first_name, last_name, name, email, amount, currency, reference, plan, card_holder } =
    record;
  const text = (one: unknown) => (typeof one === 'string' && one !== value ? one : '');
  // A refund states no currency, and its purchase may be in another one than the account's.
  const isSaid = typeof amount === 'number' && !('refunded' in record && !text(currency));
  const money = isSaid ? moneyText(amount, text(currency) || undefined) : '';
  const person = [first_name, last_name].map(text).filter(Boolean).join(' ');
  return [person, text(name), text(email), money, text(plan), text(card_holder), text(reference)]
    .filter(Boolean)
    .join(', ');
}
