/** Finds whose records a name means, for commands that only read what is known here. */

import { periodKind } from '../../base/periods.ts';
import { Failure, usage } from '../../failure.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import type { NamedThings } from '../../requests/known/lazy-ledger.ts';
import { ownersNamed } from '../../requests/known/resolve-name.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';

/**
 * @param scope of the profile in use; undefined for all profiles
 * @returns the owners of the name: one, unless all were asked for
 * @throws Failure usage if several accounts have the name and none was chosen, notFound if only others have it
 */
export async function ownersOfName(
  known: NamedThings,
  text: string,
  { scope, isOfAll }: { scope: Owner | undefined; isOfAll: boolean },
): Promise<Owner[]> {
  const all = await ownersNamed(known, text);
  const names = (owners: readonly Owner[]) =>
    [...new Set(owners.map((one) => one.profile))].join(', ');
  const isShown = (one: Owner) =>
    !scope || isOwnedBy({ ...one, environment: scope.environment }, scope, 'listed');
  const owners = all.filter(isShown);
  if (owners.length > 1 && !isOfAll) {
    throw usage(
      'profile-ambiguous',
      `${JSON.stringify(text)} is known in several accounts, those of the profiles ${names(owners)}.`,
      'Choose one with --profile, or see all with --all-profiles.',
    );
  }
  if (owners.length === 0 && all.length > 0) {
    const next = `It is known with ${names(all)}: choose one with --profile, or see all with --all-profiles.`;
    throw unknownName(text).with({ next });
  }
  // Only events without a profile, or nothing at all.
  const nobody = { account: null, profile: scope?.profile ?? null, environment: null, host: null };
  return owners.length > 0 ? owners : [nobody];
}

/** @returns the failure for a name that nothing has */
export function unknownName(text: string): Failure {
  const word = commandWord(text);
  const next =
    periodKind(text) === undefined
      ? `\`gw get ${word}\` asks the gateway, and \`gw find\` also searches for parts of words.`
      : `\`gw journal list --since ${word} --until ${word}\` lists what gw sent then, and \`gw find ${word}\` what is of those days.`;
  return new Failure('name-unknown', `Nothing is known here about ${JSON.stringify(text)}.`, next);
}
