/** Whose a document is: what is known of one account is never mixed with what is known of another. */
import { type AccountScope, isOf } from '../base/account.ts';
import type { RecordKind } from '../contract/record-id.ts';
import type { Ledger, RememberedRecord } from './ledger.ts';

/** An id is of one record of each account; hardly anybody has more of them than this. */
const MAX_OWNERS = 100;

/** @returns the record of that id as its owner saw it last, or undefined where it is not remembered */
export async function rememberedOf(
  known: Pick<Ledger, 'remembered'>,
  { kind, id }: { kind: RecordKind; id: string },
  owner: AccountScope,
): Promise<RememberedRecord | undefined> {
  const records = await known.remembered({ kind, id }, MAX_OWNERS);
  return records.find((one) => isOf(one, owner));
}

/** @returns one for each account among them, in the order of the documents; of those without a profile none */
export function ownersOf(documents: readonly AccountScope[]): AccountScope[] {
  const owners: AccountScope[] = [];
  // An account tells more than a profile, so documents that have one come first.
  const sorted = documents.toSorted((one, other) => Number(!one.account) - Number(!other.account));
  for (const { account, profile, host } of sorted) {
    const owner = { account, profile, host };
    if (profile !== null && !owners.some((known) => isOf(known, owner))) owners.push(owner);
  }
  return owners;
}
