/** The checks of this machine: its profiles, who else gets at what gw keeps, and the journal. */

import { shellWord } from '../../base/shell.ts';
import { instantText, plural } from '../../base/text.ts';
import { openOwnLedger } from '../../client/ledger/open.ts';
import { type LedgerHost, type LedgerPlace, ledgerPlace } from '../../client/ledger/place.ts';
import { type ProfileFiles, profilesFile, readProfiles } from '../../client/profiles/store.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Files, Host } from '../../host/host.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';
import type { Checked, Finding } from '../../view/records/check.ts';
import { checked, failed, findingOf, ok, warning } from './finding.ts';

/** Which checks run. */
export interface Extent {
  /** The only profile that is looked at; undefined for all. */
  profile: string | undefined;
  /** No gateway and no server is asked. */
  isOffline: boolean;
}

/**
 * @param hasEnvironment whether the environment makes a profile of its own
 * @returns the findings in the order in which they are shown; what rests on one that failed is left out
 */
export async function checkMachine(
  host: Host,
  extent: Extent,
  hasEnvironment: boolean,
): Promise<Checked[]> {
  const configuration = await findingOf(checkConfiguration(host.files, hasEnvironment));
  return [
    checked('configuration', configuration),
    checked('private-files', checkPrivateFiles(host.files)),
    ...(await checkLedgers(host, extent)),
  ];
}

/** Whether profiles.json can be used, and what it has. @throws Failure usage when it cannot be read */
export async function checkConfiguration(
  files: ProfileFiles,
  hasEnvironment: boolean,
): Promise<Finding> {
  const { profiles, default: name } = await readProfiles(files);
  const file = profilesFile(files);
  if (profiles.size === 0)
    return hasEnvironment
      ? ok('no profile is stored; the environment defines one')
      : warning(
          'No profile is set up on this machine.',
          'Run `gw login sandbox`, or try gw without a gateway: `gw plan list --profile local`.',
        );
  const count = `${profiles.size} ${plural(profiles.size, 'profile', 'profiles')} in ${file}`;
  if (name === undefined) return ok(`${count}, none of them the default`);
  if (profiles.has(name)) return ok(`${count}; ${name} is the default`);
  return warning(
    `The default profile ${name} is not in ${file}.`,
    `Choose another, for example with \`gw profile use ${[...profiles.keys()][0]}\`.`,
  );
}

/** Whether nobody else can read or change what gw keeps. */
export function checkPrivateFiles(files: Pick<Files, 'findExposed'>): Finding {
  const { open, foreign } = files.findExposed();
  if (foreign.length > 0)
    return failed(
      'guard',
      `Somebody else owns ${some(foreign)}, and gw relies on it to decide what to send.`,
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

/** The ledger of a team, where there is one, and the journal in the ledger that is in use. */
async function checkLedgers(host: Host, { profile, isOffline }: Extent): Promise<Checked[]> {
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
 * Whether the journal can be used, and what in it waits for somebody. A file that has a second name, is damaged or is
 * of another form is refused when it is opened; one that is not there is not made.
 * @param profile whose entries alone are looked at; undefined for those of all
 * @throws Failure when it cannot be used
 */
async function checkJournal(
  host: LedgerHost,
  place: LedgerPlace,
  profile: string | undefined,
): Promise<Finding> {
  const { files } = host;
  if (place.kind === 'file' && files.size(place.path) + files.size(`${place.path}-wal`) === 0)
    return ok('none yet; the first money request creates it');
  const ledger = await openOwnLedger(host, { profile });
  try {
    const entries = await ledger.list({ unresolved: true, limit: MAX_UNRESOLVED });
    return unresolvedFinding(entries, profile);
  } finally {
    await ledger.close();
  }
}

/** @param entries unresolved ones, newest first; what a process that runs is sending is none of them */
export function unresolvedFinding(
  entries: readonly LedgerEntry[],
  profile: string | undefined,
): Finding {
  const unknown = entries.filter(({ state }) => state === 'unknown');
  const theirs = unknown.filter((entry) => profile === undefined || entry.profile === profile);
  const oldest = theirs.at(-1);
  if (!oldest) return ok('it can be used, and the outcome of every request is known');
  const count = theirs.length;
  return warning(
    `The ${plural(count, 'outcome', 'outcomes')} of ${count} money ${plural(count, 'request is', 'requests are')} unknown. The oldest was sent on ${instantText(oldest.createdAt)}.`,
    'Run `gw journal resolve` to ask the gateway. `gw journal list --unresolved` shows them.',
  );
}
