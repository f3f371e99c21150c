/**
 * `gw doctor`: repairs if asked to, runs every check, prints the findings, and fails with the first that failed.
 *
 * Tests: test/scripts/commands/doctor.script, test/system/doctor.test.ts
 */

import { openLedgerAt } from '../../client/ledger/open.ts';
import {
  type LedgerChoice,
  type LedgerHost,
  ledgerPlace,
  ownFile,
} from '../../client/ledger/place.ts';
import { ENVIRONMENT_PROFILE, LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { hasEnvironmentProfile } from '../../client/profiles/resolve.ts';
import { readProfiles, showProfile } from '../../client/profiles/store.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { Database } from '../../store/sqlite/database.ts';
import {
  isTable,
  type OutputOptions,
  type PrintHost,
  printRecords,
} from '../../view/print-records.ts';
import { CHECK_VIEW, type CheckResult, renderChecks } from './check.ts';
import { checkMachine, type Extent } from './machine.ts';
import { checkProfile, type ProfileContext } from './profile.ts';

export interface DoctorOptions extends Extent {
  isRepairing: boolean;
  output: OutputOptions;
}

/** @throws Failure if a check failed, after all findings are printed */
export async function runDoctor(context: Context, options: DoctorOptions): Promise<void> {
  if (options.isRepairing) await repair(context.host, options);
  const all = await examine(context, options);
  await print(context.host, options.output, all);
  const failures = all.flatMap((one) => (one.state === 'failed' ? [one] : []));
  const [first] = failures;
  if (!first) return;
  throw new Failure(
    'checks-failed',
    `${failures.length} of ${all.length} checks failed.`,
    `Start with the ${first.check.replaceAll('-', ' ')}${first.profile === null ? '' : ` of ${first.profile}`}. ${first.next}`,
    { kind: first.kind },
  );
}

/**
 * Runs all checks in the order of display: a check comes before those that depend on it. Profiles are checked in
 * parallel.
 * @throws Failure if the named profile does not exist; interrupted
 */
async function examine(context: ProfileContext, extent: Extent): Promise<CheckResult[]> {
  const { env, files } = context.host;
  const { profile, isOffline } = extent;
  const read = await orFailure(readProfiles(files));
  // An unusable file is a finding of its own.
  const stored = read instanceof Failure ? [] : [...read.profiles.keys()];
  const chosen = env.GW_PROFILE || (hasEnvironmentProfile(env) ? ENVIRONMENT_PROFILE : undefined);
  const names = [...new Set([...stored, ...(chosen ? [chosen] : []), LOCAL_PROFILE.name])];
  if (profile !== undefined && !names.includes(profile)) await showProfile(files, profile);
  const wanted = names.filter((name) => profile === undefined || name === profile);
  const groups = await Promise.all([
    checkMachine(context.host, extent, (profile ?? chosen) !== undefined),
    ...wanted.map((name) => checkProfile(context, name, isOffline)),
  ]);
  return groups.flat();
}

async function print(
  host: PrintHost,
  output: OutputOptions,
  found: readonly CheckResult[],
): Promise<void> {
  if (isTable(host, output) && output.fields === undefined) {
    await host.stdout.write(await renderChecks(found, host.stdout));
    return;
  }
  await printRecords(host, output, found.map(CHECK_VIEW.record), { kind: CHECK_VIEW });
}

/**
 * Repairs the permissions of gw's files and the search index, and reports it on stderr. The checks that follow find
 * whatever could not be repaired.
 */
async function repair(host: LedgerHost, choice: LedgerChoice): Promise<void> {
  const { env, files, stderr } = host;
  const { tightened } = files.keepPrivate();
  await stderr.write(
    tightened.length === 0
      ? 'All files were private already.\n'
      : `Made private: ${neutralise(tightened.join(', '))}.\n`,
  );
  // The checks report a wrong address or profile.
  const place = await orFailure(ledgerPlace({ env, files }, choice));
  if (!(place instanceof Failure) && place.kind === 'server')
    await stderr.write(
      'The index of the shared ledger stays: its owner makes it again with `gw ledger rebuild`.\n',
    );
  const journal = ledgerPath(files);
  if (files.size(journal) === 0) return;
  const { rebuildIndex } = await import('../../requests/known/learn-due.ts');
  try {
    const ledger = await openLedgerAt(host, ownFile(files));
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
