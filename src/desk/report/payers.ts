/**
 * The one of whom alone a report tells, named by a flag or in the place of a period, and the customers whose payments
 * these are.
 *
 * Tests: test/scripts/commands/report-customer.script
 */
import { pagesOf } from '../../base/pages.ts';
import { periodBehind, periodBeside, periodInFront } from '../../base/periods.ts';
import { mayAsk } from '../../cli/flags/command-options.ts';
import { kindOfId } from '../../contract/record.ts';
import type { Context } from '../../host/context.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { resolveName, TO_LOOK_UP } from '../../requests/known/resolve-name.ts';
import { unknownName } from '../history/owners-of-name.ts';
import { byName, type Known, tiedTo } from '../query/named-things.ts';
import { pickNamed, pickNear } from '../query/near-record.ts';
import type { RestsOn } from './missed-charges.ts';
import { movementsIn } from './movements.ts';
import type { ReportDesk } from './open-report.ts';
import { isAllTime } from './report-flags.ts';
import type { CustomerTotal, Movement } from './report-view.ts';

/** Movements whose ties are looked up at once. */
export const AT_ONCE = 1_000;

/** The one of whom alone a report is to tell, and its time. */
interface OfWhom {
  customer: string | undefined;
  date: string | undefined;
}

/**
 * @param words a period; a name; or a name and a period behind it, or before it if nobody is called like that
 * @param flag the value of `--customer`
 * @returns both as they were typed
 */
export function ofWhom(words: readonly string[], flag: string | undefined): OfWhom {
  const single = words.flatMap((word) => word.split(/\s+/));
  // A word before them lets a period stand behind a name that is empty.
  const behind = periodBehind(['', ...single], true);
  const { name, period } = behind.period === undefined ? periodBeside(single) : behind;
  const typed = name.trim();
  const isName = (/^\p{L}/u.test(typed) && !isAllTime(typed)) || kindOfId(typed) !== undefined;
  if (flag !== undefined || !isName)
    return { customer: flag, date: words.length === 0 ? undefined : words.join(' ') };
  return { customer: typed, date: period };
}

/** A person or a reference of whom alone a report tells. */
export interface NamedPayer {
  /** The id of the customer; undefined for who is none. */
  customer: string | undefined;
  /** The names by which payments of no customer are found: an email, a name, a reference. */
  names: readonly string[];
  /** A note for the reader. */
  shown: string;
}

/**
 * @param text an id, a reference, an email or a name, perhaps only a part of it
 * @returns undefined without a text
 * @throws Failure usage with a list if several are near, notFound if nothing is
 */
export async function payerNamed(
  { host }: Context,
  { ledger, scope, profile, options }: ReportDesk,
  text: string | undefined,
): Promise<NamedPayer | undefined> {
  if (text === undefined) return undefined;
  const all = await resolveName(ledger, text, scope, TO_LOOK_UP);
  // Nothing was paid with a request that was rejected, and it may have named anything.
  const exact = all.filter(({ thing }) => thing.outcome !== 'rejected');
  const customers = exact.filter(({ kind }) => kind === 'customer');
  if (exact.length > 0 && customers.length === 0)
    return { customer: undefined, names: [text], shown: neutralise(text) };
  const { name, period } = periodInFront(text.split(' '));
  // Without its period, the report of a near name would be of another time.
  if (exact.length === 0 && period !== undefined)
    throw unknownName(text).with({
      next: `If ${neutralise(period)} is the period, write it behind the name: \`${neutralise(name)} ${neutralise(period)}\`.`,
    });
  const us = { profile: profile.name, of: profile };
  const words = ['report', 'customer'];
  const desk = { host, ledger, us, scope, mayAsk: mayAsk(host, {}), words, tells: options.output };
  const [one] = await pickNamed(desk, text, customers, TO_LOOK_UP);
  const payer = one ?? (await pickNear(desk, text));
  if (!payer) {
    const unknown = unknownName(text);
    throw unknown.with({ next: `${unknown.next} A period is such as 2026-03, march or q1.` });
  }
  const { who, email } = payer.thing;
  // Two people may have one name.
  const shown = neutralise(who === null || email === null ? (who ?? text) : `${who} (${email})`);
  if (payer.kind !== 'customer')
    return { customer: undefined, names: [text, email ?? who ?? payer.id], shown };
  // A payment of no customer may be that of a namesake.
  return { customer: payer.id, names: customers.length > 1 ? [] : [text], shown };
}

/** @returns the charges on which a report of this payer rests: somebody who is no customer has no subscription */
export function restsOn(payer: NamedPayer | undefined): RestsOn | undefined {
  if (!payer) return {};
  return payer.customer === undefined ? undefined : { customer: payer.customer };
}

/** @returns the movements of one person in the period */
export async function rowsOfPayer(
  { things, scope }: Known & { things: Parameters<typeof movementsIn>[0] },
  frame: Parameters<typeof movementsIn>[2],
  payer: NamedPayer,
  hasDeclines: boolean,
): Promise<Movement[]> {
  const names = await namesOfPayments({ things, scope }, payer);
  return ofPayer(
    { things, scope },
    movementsIn(things, scope, { ...frame, names }, hasDeclines),
    payer,
  );
}

/** @returns names that all payments and refunds of a person have, and perhaps those of others */
async function namesOfPayments({ things, scope }: Known, { customer, names }: NamedPayer) {
  const all = { scope, needs: 'nothing', limit: Number.MAX_SAFE_INTEGER } as const;
  const own = [customer ?? [], names].flat();
  const customers = await things.tied(own, { ...all, kinds: ['customer'] });
  const called = [...own, ...byName(customers).keys()];
  const purchases = await things.tied(called, { ...all, kinds: ['purchase'] });
  return [...new Set([...called, ...purchases.map(({ id }) => id)])];
}

/** @returns the payments of the customer, and of nobody else's those with one of the names */
export async function ofPayer(
  known: Known,
  moved: AsyncIterable<Movement> | readonly Movement[],
  payer: NamedPayer,
): Promise<Movement[]> {
  const own: Movement[] = [];
  for await (const some of pagesOf(moved, AT_ONCE))
    for (const [one, paying, paid] of await payersOf(known, some))
      if (isOf(payer, paying, [...namesOf(one), ...namesOf(paid)])) own.push(one);
  return own;
}

/** A refund is named by its payment too. */
const namesOf = ({ id, reference, subscription, customer, who, email }: Paid) => [
  id,
  reference,
  subscription,
  customer,
  who,
  email,
];

/**
 * @param paying whose it is, as far as that is known
 * @param called other names that it has
 * @returns whether it belongs to the customer, or to no other one and has one of the names, in any case
 */
export function isOf(
  { customer, names }: NamedPayer,
  paying: Pick<CustomerTotal, 'customer' | 'who' | 'email'>,
  called: readonly (string | null)[],
): boolean {
  if (customer !== undefined && paying.customer !== null) return paying.customer === customer;
  const wanted = names.map((name) => name.toLowerCase());
  return [paying.customer, paying.who, paying.email, ...called].some(
    (name) => name && wanted.includes(name.toLowerCase()),
  );
}

export interface PayingCustomer extends Pick<CustomerTotal, 'customer' | 'who' | 'email'> {
  /** The name that identifies a customer. */
  key: string;
}

/** @prop id null of a charge of which only webhooks without one tell */
type Paid = { id: string | null } & Pick<
  Movement,
  'reference' | 'subscription' | 'purchase' | 'customer' | 'token' | 'who' | 'email' | 'lastFour'
>;

/** @returns each payment or refund with its customer, and what was paid: a payment itself */
export async function payersOf<Moved extends Paid>(
  known: Known,
  moved: readonly Moved[],
): Promise<[Moved, PayingCustomer, Paid][]> {
  // A refund has no token: its purchase tells payers apart who are no customers.
  const purchases = moved.map(({ purchase }) => purchase);
  const paid = byName(await tiedTo(known, ['purchase'], purchases, 'nothing'));
  const paidBy = (one: Moved): Paid => paid.get(one.purchase ?? '') ?? one;
  const names = moved.map((one) => paidBy(one).customer);
  const customers = byName(await tiedTo(known, ['customer'], names, 'nothing'));
  return moved.map((movement) => {
    const bought = paidBy(movement);
    const { customer, token, who, email, lastFour } = bought;
    const one = customers.get(customer ?? '');
    const key = one?.id ?? customer ?? token ?? JSON.stringify([who, lastFour]);
    const payer = one
      ? { customer: one.id, who: one.who, email: one.email }
      : { customer, who, email };
    return [movement, { key, ...payer }, bought];
  });
}
