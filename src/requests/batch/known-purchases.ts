/**
 * Finds what this machine knows of the purchases that lines refund: who paid them, and which references earlier requests
 * about them had. A sheet that names the customer of each purchase is compared with it, so that a refund for one person does not go
 * to another. Names are compared as `gw get` compares them, and nothing is guessed. Hearsay counts for nothing here.
 *
 * Tests: test/unit/requests/batch/known-purchases.test.ts, test/scripts/commands/batch-sheet.script
 */
import { quotedText } from '../../base/shell.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import { plainId } from '../../contract/record.ts';
import type { Failure } from '../../failure.ts';
import { fold, isSameName, partsOf, spellings } from '../../things/normalise.ts';
import { isOwnedBy } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import { keyOfName } from '../../things/words.ts';
import { withKnown } from '../known/lazy-ledger.ts';
import type { KnownHost } from '../known/open-ledger.ts';

/** The payer of a purchase. */
export interface Payer {
  /** The names of the customer and of the holder of the card, the customer's first. */
  names: readonly string[];
  email: string | null;
  /** The id and the reference of the customer; empty if no customer is known. */
  ids: readonly string[];
}

export interface KnownPurchase {
  payer: Payer;
  reference: string | null;
  /** The references of requests about it, such as earlier refunds. */
  requested: ReadonlySet<string>;
}

/** @returns the purchases with these ids that are known here, by id */
export async function knownPurchases(
  host: KnownHost,
  gateway: Pick<GatewayConnection, 'profile' | 'ledger'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownPurchase>> {
  const known = await withKnown(host, gateway, async ({ things }, owner) => {
    const read = async (names: readonly string[], kinds: readonly Thing['kind'][]) => {
      const limit = Number.MAX_SAFE_INTEGER;
      const tied = names.length === 0 ? [] : await things.tied(names, { kinds, limit });
      return tied.filter((one) => one.told !== 'heard' && isOwnedBy(one, owner, 'named'));
    };
    const tied = await read(ids, ['purchase', 'refund', 'request']);
    const paid = tied.filter(({ kind, id }) => kind === 'purchase' && ids.includes(id));
    const named = paid.flatMap(({ customer }) => customer ?? []);
    const customers = await read(
      [...new Set(named)].map((name) => keyOfName('customer', name)),
      ['customer'],
    );
    return paid.map((purchase): [string, KnownPurchase] => {
      const { id, customer, reference } = purchase;
      const own = customers.find((one) => customer === one.id || customer === one.reference);
      const requests = tied.filter((one) => one.kind !== 'purchase' && one.purchase === id);
      return [
        id,
        {
          payer: payerOf(purchase, own),
          reference,
          requested: new Set(requests.flatMap((one) => one.reference ?? [])),
        },
      ];
    });
  });
  return new Map(known);
}

function payerOf({ who, email, sources }: Thing, customer: Thing | undefined): Payer {
  const names = [customer?.who, who, sources.record?.who].flatMap((name) => name ?? []);
  return {
    names: [...new Set(names)],
    email: customer?.email ?? email,
    ids: customer ? [customer.id, customer.reference ?? []].flat() : [],
  };
}

/** @returns whether the text is a name, the email, the id or the reference of who paid */
export function isPayer(text: string, { names, email, ids }: Payer): boolean {
  const own = [...ids, email ?? []].flat();
  if (own.some((one) => fold(one) === fold(plainId(text)))) return true;
  const spelt = names.flatMap(spellings).flatMap((name) => name ?? []);
  if (spelt.some((name) => isSameName(name, text))) return true;
  // The Latin spelling of a name in another script stands in no record but the email.
  const [name] = names;
  return isLatin(text) && !isLatin(name) && wordsOf(text) === wordsOf(email?.split('@')[0]);
}

/**
 * @param unseen why the gateway did not show a purchase
 * @returns the fault of a line that names a purchase which the gateway does not have; undefined if it may have it
 */
export function missingFault({ kind, message }: Failure): string | undefined {
  return kind === 'notFound'
    ? `${message} Check the id or reference, or remove the line`
    : undefined;
}

/**
 * @param purchase its id or reference
 * @param known undefined for a purchase that is not known here
 * @param unseen why the gateway did not show it, if it was asked
 * @returns why a line for this customer cannot be sent; undefined if it is who paid
 */
export function payerFault(
  purchase: string,
  text: string,
  known: KnownPurchase | undefined,
  unseen: Failure | undefined,
): string | undefined {
  const advice = 'correct the line, or leave its customer empty';
  const { names = [], email = null } = known?.payer ?? {};
  const [name] = names;
  if (!known && unseen && missingFault(unseen)) return missingFault(unseen);
  if (!known || name === undefined) {
    const why = unseen?.message ?? `gw does not know who paid ${quotedText(purchase)}.`;
    return `customer ${quotedText(text)} was not compared. ${why} To send it all the same, leave the customer empty`;
  }
  if (isPayer(text, known.payer)) return undefined;
  if (isLatin(name) === isLatin(text) && !/[\d@]/.test(text))
    return `${purchase} was paid by ${name}, not ${text}: ${advice}`;
  const called = [name, ...known.payer.ids, email ?? []].flat().join(', ');
  return `customer ${quotedText(text)} is not who paid ${purchase}, as far as gw knows (${called}): ${advice}`;
}

const isLatin = (name = '') => /\p{Script=Latin}/u.test(name);

/** @returns the words of a text in one order: an email has them in another than a name */
function wordsOf(text = ''): string {
  return partsOf(fold(text))
    .filter((part) => part !== '')
    .sort()
    .join(' ');
}
