/** Whether the journal can be used and is whole, and what in it waits for somebody. */
import { instantText } from '../../base/instant.ts';
import { plural } from '../../base/plural.ts';
import { openOwnLedger } from '../../client/ledger/open.ts';
import { type LedgerHost, ledgerPlace } from '../../client/ledger/place.ts';
import { Failure } from '../../failure.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { inspectFile } from '../../store/sqlite/inspect-file.ts';
import type { Finding } from '../../view/records/check.ts';
import { failed, failedBy, ok, warning } from './finding.ts';
import { bytesText } from './kept-files.ts';

const MAX_UNRESOLVED = 10_000;
const NONE_YET = 'none yet; the first money request creates it';

/** @param path of the ledger's file; one that is not there is not made. @param size of it and its log */
export function checkLedger(path: string, size: number): Finding {
  if (size === 0) return ok(NONE_YET);
  const file = ledgerFile(path);
  try {
    const { bytes, version, faults } = inspectFile(file);
    if (faults.length === 0) return ok(`${path}, ${bytesText(bytes)}, intact (format ${version})`);
    return failed('guard', `The journal ${path} is damaged: ${faults.join('; ')}.`, file.repair);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failed('guard', error.message, remedyOf(error));
  }
}

function remedyOf({ code, next }: Failure): string {
  if (code === 'file-newer')
    return 'Use the gw that wrote it. `type -a gw` shows the ones installed, and `gw --version` the version of each.';
  return next;
}

/**
 * @param profile whose entries alone are looked at; undefined for those of all
 * @returns what in the journal waits for somebody
 */
export async function checkUnresolved(
  host: LedgerHost,
  profile: string | undefined,
): Promise<Finding> {
  const place = await ledgerPlace(host, { profile });
  if (place.kind === 'file' && host.files.size(place.path) === 0) return ok('none');
  try {
    const ledger = await openOwnLedger(host, { profile });
    try {
      const entries = await ledger.list({ unresolved: true, limit: MAX_UNRESOLVED });
      return unresolvedFinding(entries, profile);
    } finally {
      await ledger.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failedBy(error);
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
  if (!oldest) return ok('none');
  const count = theirs.length;
  return warning(
    `The ${plural(count, 'outcome', 'outcomes')} of ${count} money ${plural(count, 'request is', 'requests are')} unknown. The oldest was sent on ${instantText(oldest.createdAt)}.`,
    'Run `gw journal resolve` to ask the gateway. `gw journal list --unresolved` shows them.',
  );
}
