/** `gw doctor`: mends what it is told to, looks at everything, prints what it finds and fails as the first of it. */

import { openFileLedger } from '../../client/ledger/open.ts';
import { type LedgerChoice, ledgerPlace } from '../../client/ledger/place.ts';
import { ENVIRONMENT_PROFILE, LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { hasEnvironmentProfile } from '../../client/profiles/resolve.ts';
import { readProfiles, showProfile } from '../../client/profiles/store.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { Database } from '../../store/sqlite/database.ts';
import { formatOf, type OutputOptions, printRecords } from '../../view/print-records.ts';
import { CHECK_VIEW, type Checked, renderChecks } from '../../view/records/check.ts';
import { checkMachine, type Extent } from './machine.ts';
import { checkProfile } from './profile.ts';

export interface DoctorOptions extends Extent {
  isRepairing: boolean;
  output: OutputOptions;
}

/** @throws Failure when a check failed, after all of them are printed */
export async function runDoctor(context: Context, options: DoctorOptions): Promise<void> {
  if (options.isRepairing) await repair(context.host, options);
  const all = await examine(context, options);
  await print(context, options.output, all);
  const failures = all.flatMap((one) => (one.state === 'failed' ? [one] : []));
  const [first] = failures;
  if (!first) return;
  throw new Failure(first.kind, `${failures.length} of ${all.length} checks failed.`, {
    code: 'checks-failed',
    next: `Start with the ${first.check.replaceAll('-', ' ')}${first.profile === null ? '' : ` of ${first.profile}`}. ${first.next}`,
  });
}

/**
 * All checks, in the order in which they are shown: what others rest on comes first. Profiles are looked at side by
 * side.
 * @throws Failure when the profile that is named is not there; interrupted
 */
async function examine(context: Context, extent: Extent): Promise<Checked[]> {
  const { env, files } = context.host;
  const { profile, isOffline } = extent;
  const read = await orFailure(readProfiles(files));
  // A file that cannot be used is a finding of its own.
  const stored = read instanceof Failure ? [] : [...read.profiles.keys()];
  const hasEnvironment = hasEnvironmentProfile(env) && !env.GW_PROFILE;
  const names = [...stored, ...(hasEnvironment ? [ENVIRONMENT_PROFILE] : []), LOCAL_PROFILE.name];
  if (profile !== undefined && !names.includes(profile)) await showProfile(files, profile);
  const wanted = names.filter((name) => profile === undefined || name === profile);
  const groups = await Promise.all([
    checkMachine(context.host, extent, hasEnvironment),
    ...wanted.map((name) => checkProfile(context, name, isOffline)),
  ]);
  return groups.flat();
}

async function print(
  { host }: Context,
  output: OutputOptions,
  found: readonly Checked[],
): Promise<void> {
  const format = formatOf(output) ?? (host.stdout.isTerminal ? 'table' : undefined);
  if (format === 'table' && output.fields === undefined) {
    await host.stdout.write(await renderChecks(found, host.stdout));
    return;
  }
  await printRecords(host, output, found.map(CHECK_VIEW.record), { kind: CHECK_VIEW });
}

/**
 * Mends who may read what gw keeps, and the index of what gw knows, and says so on stderr. What it could not do is found
 * by the checks, which come next.
 */
async function repair(host: Host, choice: LedgerChoice): Promise<void> {
  const { env, files, stderr } = host;
  const { tightened } = files.keepPrivate();
  await stderr.write(
    tightened.length === 0
      ? 'All files were private already.\n'
      : `Made private: ${neutralise(tightened.join(', '))}.\n`,
  );
  // What is wrong with an address or a profile is found by the checks.
  const place = await orFailure(ledgerPlace({ env, files }, choice));
  if (!(place instanceof Failure) && place.kind === 'server')
    await stderr.write('The shared ledger keeps its own index up to date: nothing to repair.\n');
  const journal = ledgerPath(files);
  if (files.size(journal) === 0) return;
  const { rebuildIndex } = await import('../../requests/known/index-deferred.ts');
  try {
    const ledger = await openFileLedger(host, journal);
    try {
      await rebuildIndex(ledger.sql);
    } finally {
      await ledger.close();
    }
    await stderr.write('Rebuilt the index of what gw knows.\n');
    const database = new Database(ledgerFile(journal));
    try {
      database.compact();
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await stderr.write(`The index of what gw knows could not be rebuilt. ${error.message}\n`);
  }
}
