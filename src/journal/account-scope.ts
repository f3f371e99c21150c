/** Scopes things to accounts. gw never mixes what it knows of one account with what it knows of another. */
import { type AccountScope, isOf } from '../base/account.ts';
import type { RecordKind } from '../contract/record-id.ts';
import type { Ledger, RememberedRecord } from './ledger.ts';

/** Each account can have one record with a given id. Hardly anybody has more accounts than this. */
const MAX_OWNERS = 100;

/** @returns the record with that id as `owner` last saw it; undefined if the ledger has none */
export async function rememberedOf(
  known: Pick<Ledger, 'remembered'>,
  { kind, id }: { kind: RecordKind; id: string },
  owner: AccountScope,
): Promise<RememberedRecord | undefined> {
  const records = await known.remembered({ kind, id }, MAX_OWNERS);
  return records.find((one) => isOf(one, owner));
}

/**
 * @returns the distinct accounts of the things, those with an account first; skips things without a profile
 */
export function ownersOf(things: readonly AccountScope[]): AccountScope[] {
  const owners: AccountScope[] = [];
  // An account identifies more than a profile does, so things with an account come first.
  const sorted = things.toSorted((one, other) => Number(!one.account) - Number(!other.account));
  for (const { account, profile, host } of sorted) {
    const owner = { account, profile, host };
    if (profile !== null && !owners.some((known) => isOf(known, owner))) owners.push(owner);
  }
  return owners;
}
