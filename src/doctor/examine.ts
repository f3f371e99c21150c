/**
 * All checks, in the order in which they are shown: what others rest on comes first. Profiles are
 * looked at side by side, each step that leaves this machine within a time limit of its own.
 */
import { Failure } from '../failure.ts';
import type { Host } from '../host/host.ts';
import { ENVIRONMENT_PROFILE, LOCAL_PROFILE } from '../profiles/profile.ts';
import { hasEnvironmentProfile } from '../profiles/resolve.ts';
import { readProfiles, type StoredProfiles, showProfile } from '../profiles/store.ts';
import type { Context } from '../session/context.ts';
import { ledgerPath } from '../session/paths.ts';
import { checkCompletion } from './completion.ts';
import { checkConfiguration } from './configuration.ts';
import { type Checked, checked, ok } from './finding.ts';
import { checkJournalContents, checkLedger } from './journal.ts';
import { checkPrivacy, checkStateDirectory } from './kept-files.ts';
import { checkKeychain } from './keychain.ts';
import { checkNode } from './node.ts';
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
  const stored = await storedProfiles(context);
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
    checkMachine(context, profile, { hasEnvironment, needsKeychain }),
    ...wanted.map((name) => checkProfile(context, name, extent.isOffline)),
  ]);
  return [machine, ...profiles].flat();
}

/** A file that cannot be used is a finding of its own. */
async function storedProfiles({ host }: Context): Promise<StoredProfiles['profiles']> {
  try {
    return (await readProfiles(host.files)).profiles;
  } catch (error) {
    if (error instanceof Failure) return new Map();
    throw error;
  }
}

async function checkMachine(
  { host }: Context,
  profile: string | undefined,
  known: { hasEnvironment: boolean; needsKeychain: readonly string[] },
): Promise<Checked[]> {
  const { env, files, keychain, runtime, version } = host;
  return [
    checked('node', checkNode(runtime)),
    checked('gw', ok(`${version} on ${runtime.machine}`)),
    checked('configuration', await checkConfiguration(files, known.hasEnvironment)),
    checked('privacy', checkPrivacy(files)),
    checked('state-directory', checkStateDirectory(files)),
    ...(await checkJournal(host, profile)),
    checked('keychain', await checkKeychain(keychain, known.needsKeychain)),
    checked('completion', checkCompletion(env, files)),
  ];
}

/** What is in a journal that cannot be used is not asked for. */
async function checkJournal(host: Host, profile: string | undefined): Promise<Checked[]> {
  const path = ledgerPath(host.files);
  const journal = checked('journal', checkLedger(path, host.files.size(path)));
  if (journal.state === 'failed') return [journal];
  const { unresolved, index } = await checkJournalContents(host, profile);
  return [journal, checked('unresolved', unresolved), checked('index', index)];
}
