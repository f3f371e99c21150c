/** The checks of this machine: its profiles, who else can access gw's files, and the journal. */

import { shellWord } from '../../base/shell.ts';
import { instantText, plural, quantity } from '../../base/text.ts';
import { openTimeZone } from '../../base/time-zone.ts';
import { openLedgerAt } from '../../client/ledger/open.ts';
import { type LedgerHost, type LedgerPlace, ledgerPlace } from '../../client/ledger/place.ts';
import { type ProfileFiles, profilesFile, readProfiles } from '../../client/profiles/store.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Files, Host } from '../../host/host.ts';
import { machineZone } from '../../host/machine-zone.ts';
import { differenceOfRules } from '../../host/zone-rules.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { checkWritable } from '../../store/sqlite/open-file.ts';
import { checkAssistants } from './assistants.ts';
import type { CheckResult, Finding } from './check.ts';
import { checked, failed, findingOf, ok, warning } from './finding.ts';

/** The checks to run. */
export interface Extent {
  /** The only profile to check; undefined for all. */
  profile: string | undefined;
  /** Asks no gateway and no server. */
  isOffline: boolean;
}

/**
 * @param isChosen whether a flag or the environment says which profile to use
 * @returns the findings in the order of display, without checks that depend on a failed one
 */
export async function checkMachine(
  host: LedgerHost,
  extent: Extent,
  isChosen: boolean,
): Promise<CheckResult[]> {
  const configuration = await findingOf(checkConfiguration(host.files, isChosen));
  return [
    checked('configuration', configuration),
    checked('private-files', checkPrivateFiles(host.files)),
    ...(await checkLedgers(host, extent)),
    checked('time-zone', checkTimeZone(host)),
    ...(await checkAssistants(host)),
  ];
}

/** Checks whether this machine's zone is known, and by the same rules as the system has, this year and the next. */
export function checkTimeZone({ env, clock }: Pick<Host, 'env' | 'clock'>): Finding {
  const { name, problem, next: advice } = machineZone(env);
  if (problem && advice) return warning(problem, advice);
  const year = clock.now().getUTCFullYear();
  const days = { first: `${year}-01-01`, next: `${year + 2}-01-01` };
  const [message, next] = differenceOfRules(openTimeZone(name), days);
  return message && next ? warning(message, next) : ok(`days are counted in ${name}`);
}

/**
 * Checks whether profiles.json is usable, and what it holds. Without any profile every request fails, so this does too:
 * secrets that a build does not pass on look like that.
 * @param isChosen as for `checkMachine`
 * @throws Failure usage if it cannot be read
 */
export async function checkConfiguration(files: ProfileFiles, isChosen: boolean): Promise<Finding> {
  const { profiles, default: name } = await readProfiles(files);
  const file = profilesFile(files);
  if (profiles.size === 0)
    return isChosen
      ? ok('no profile is stored; a flag or the environment names one')
      : failed(
          'auth',
          'No profile is set up on this machine.',
          'Run `gw login sandbox`, set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT, or check the built-in test gateway alone: `gw doctor --profile local`.',
        );
  const count = `${quantity(profiles.size, 'profile', 'profiles')} in ${file}`;
  if (name === undefined) return ok(`${count}, none of them the default`);
  if (profiles.has(name)) return ok(`${count}; ${name} is the default`);
  return warning(
    `The default profile ${name} is not in ${file}.`,
    `Choose another, for example with \`gw profile use ${[...profiles.keys()][0]}\`.`,
  );
}

/** Checks that nobody else can read or change gw's files. */
export function checkPrivateFiles(files: Pick<Files, 'findExposed'>): Finding {
  const { open, foreign } = files.findExposed();
  if (foreign.length > 0)
    return failed(
      'guard',
      `Somebody else owns ${some(foreign)}. gw needs it to decide what to send.`,
      `Make it yours with \`sudo chown -R "$USER" ${shellWord(foreign[0] ?? '')}\`.`,
    );
  if (open.length > 0)
    return warning(
      `Other users can read or change ${some(open)}.`,
      'Run `gw doctor --repair` to make it private.',
    );
  return ok('nobody else can read or change what gw keeps');
}

const SHOWN = 3;

function some(files: readonly string[]): string {
  const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : '';
  return files.slice(0, SHOWN).join(', ') + more;
}

/** Checks the ledger of a team, if there is one, and the journal in the ledger in use. */
async function checkLedgers(
  host: LedgerHost,
  { profile, isOffline }: Extent,
): Promise<CheckResult[]> {
  const place = await orFailure(ledgerPlace(host, { profile }));
  if (place instanceof Failure) return [checked('journal', await findingOf(Promise.reject(place)))];
  const journal = () => findingOf(checkJournal(host, place, profile));
  if (place.kind === 'file') return [checked('journal', await journal())];
  if (isOffline) return [checked('ledger', ok('on a server, which was not asked'))];
  const { checkSharedLedger } = await import('./shared-ledger.ts');
  const shared = await findingOf(checkSharedLedger(host, place));
  const ledger = checked('ledger', shared);
  return shared.state === 'failed' ? [ledger] : [ledger, checked('journal', await journal())];
}

const MAX_UNRESOLVED = 10_000;

/**
 * Checks whether the journal is usable, and which entries a person must resolve. Opening refuses a file that has a
 * second name, is damaged or has another form. A missing file is not created.
 * @param profile limits the check to its entries; undefined for all
 * @throws Failure if the journal cannot be used
 */
async function checkJournal(
  host: LedgerHost,
  place: LedgerPlace,
  profile: string | undefined,
): Promise<Finding> {
  const { files } = host;
  if (place.kind === 'file') checkWritable(ledgerFile(place.path));
  if (place.kind === 'file' && files.size(place.path) + files.size(`${place.path}-wal`) === 0)
    return ok('none yet: the first money request creates it');
  const ledger = await openLedgerAt(host, place);
  try {
    if (place.kind === 'file') await ledger.admit();
    const entries = await ledger.list({ unresolved: true, limit: MAX_UNRESOLVED });
    return unresolvedFinding(entries, profile);
  } finally {
    await ledger.close();
  }
}

/** @param entries the unresolved ones, newest first, without those that a running process is sending */
export function unresolvedFinding(
  entries: readonly LedgerEntry[],
  profile: string | undefined,
): Finding {
  const unknown = entries.filter(({ state }) => state === 'unknown');
  const theirs = unknown.filter((entry) => profile === undefined || entry.profile === profile);
  const oldest = theirs.at(-1);
  if (!oldest)
    return ok(
      `it can be used, and the outcome of every request${profile === undefined ? '' : ` of ${profile}`} is known`,
    );
  const count = theirs.length;
  return warning(
    `The ${plural(count, 'outcome', 'outcomes')} of ${count} money ${plural(count, 'request is', 'requests are')} unknown. The oldest was sent on ${instantText(oldest.createdAt)}.`,
    'Run `gw journal resolve` to ask the gateway. `gw journal list --unresolved` shows them.',
  );
}
