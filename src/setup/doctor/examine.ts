/**
 * All checks, in the order in which they are shown: what others rest on comes first. Profiles are
 * looked at side by side, each step that leaves this machine within a time limit of its own.
 */

import { type LedgerPlace, ledgerPlace } from '../../client/ledger/place.ts';
import { ENVIRONMENT_PROFILE, LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { hasEnvironmentProfile } from '../../client/profiles/resolve.ts';
import { readProfiles, type StoredProfiles, showProfile } from '../../client/profiles/store.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import type { Checked } from '../../view/records/check.ts';
import { checkCompletion } from './completion.ts';
import { checked, failedBy, ok } from './finding.ts';
import { checkLedger, checkUnresolved } from './journal.ts';
import { checkPrivacy, checkStateDirectory } from './kept-files.ts';
import { checkConfiguration, checkKeychain, checkNode } from './machine.ts';
import { checkProfile } from './profile.ts';

export interface Extent {
  /** The only profile that is looked at; undefined for all. */
  profile: string | undefined;
  /** No gateway is asked. */
  isOffline: boolean;
}

/** @throws Failure when the profile that is named is not there; interrupted */
export async function examine(context: Context, extent: Extent): Promise<Checked[]> {
  const { env, files } = context.host;
  const read = await orFailure(readProfiles(files));
  // A file that cannot be used is a finding of its own.
  const stored: StoredProfiles['profiles'] = read instanceof Failure ? new Map() : read.profiles;
  const hasEnvironment = hasEnvironmentProfile(env) && !env.GW_PROFILE;
  const names = [
    ...stored.keys(),
    ...(hasEnvironment ? [ENVIRONMENT_PROFILE] : []),
    LOCAL_PROFILE.name,
  ];
  const { profile } = extent;
  if (profile !== undefined && !names.includes(profile)) await showProfile(files, profile);
  const wanted = names.filter((name) => profile === undefined || name === profile);
  const needsKeychain = wanted.filter(
    (name) => stored.has(name) && stored.get(name)?.credentialCommand === undefined,
  );
  const [machine, ...profiles] = await Promise.all([
    checkMachine(context, profile, { hasEnvironment, needsKeychain, isOffline: extent.isOffline }),
    ...wanted.map((name) => checkProfile(context, name, extent.isOffline)),
  ]);
  return [machine, ...profiles].flat();
}

async function checkMachine(
  { host }: Context,
  profile: string | undefined,
  known: { hasEnvironment: boolean; needsKeychain: readonly string[]; isOffline: boolean },
): Promise<Checked[]> {
  const { env, files, keychain, runtime, version } = host;
  return [
    checked('node', checkNode(runtime)),
    checked('gw', ok(`${version} on ${runtime.machine}`)),
    checked('configuration', await checkConfiguration(files, known.hasEnvironment)),
    checked('privacy', checkPrivacy(files)),
    checked('state-directory', checkStateDirectory(files)),
    ...(await checkJournal(host, profile, known.isOffline)),
    checked('keychain', await checkKeychain(keychain, known.needsKeychain)),
    checked('completion', checkCompletion(env, files)),
  ];
}

/** What is in a journal that cannot be used is not asked for; nor is a server, by whoever asks nobody. */
async function checkJournal(
  host: Host,
  profile: string | undefined,
  isOffline: boolean,
): Promise<Checked[]> {
  const place = await orFailure(ledgerPlace(host, { profile }));
  if (place instanceof Failure) return [checked('journal', failedBy(place))];
  const found = await checkWhereItIs(host, place, isOffline);
  const isUsable = found[0]?.state !== 'failed' && (place.kind === 'file' || !isOffline);
  if (!isUsable) return found;
  return [...found, checked('unresolved', await checkUnresolved(host, profile))];
}

async function checkWhereItIs(
  host: Host,
  place: LedgerPlace,
  isOffline: boolean,
): Promise<Checked[]> {
  if (place.kind === 'file') {
    const size = host.files.size(place.path) + host.files.size(`${place.path}-wal`);
    return [checked('journal', checkLedger(place.path, size))];
  }
  if (isOffline) return [checked('journal', ok('on a server, which was not asked'))];
  const { checkSharedLedger } = await import('./shared-ledger.ts');
  return checkSharedLedger(host, place);
}
