/** What was ever said of the outcome of an entry on a server, as `gw journal show` has it. */
import type { JsonObject } from '../../base/json.ts';
import type { Output } from '../../host/host.ts';
import type { Ledger, LedgerEntry } from '../../journal/ledger.ts';
import type { OutcomeRow } from '../../store/ledger/outcome-audit.ts';
import { recordOf } from '../../view/columns.ts';

const FIELDS = [
  ...['state', 'entered_at', 'entered_by', 'status', 'record_id', 'message'],
  ...['resolution', 'resolved_by'],
] as const;

/**
 * Warns where the entry says another outcome than was written last.
 * @returns the field `outcomes`, the first one first; nothing of an entry in a file
 */
export async function saidOfOutcomes(
  ledger: Pick<Ledger, 'outcomes'>,
  { id, operator }: LedgerEntry,
  stderr: Pick<Output, 'write'>,
): Promise<JsonObject> {
  const said = await ledger.outcomes(id);
  if (said === undefined) return {};
  if (said.isChanged)
    await stderr.write(
      `Warning: somebody changed the outcome of ${id} in the ledger by hand. It differs from the last of its \`outcomes\`. Compare it with the gateway.\n`,
    );
  const outcomes = said.rows.map((row, i) => ({
    ...recordOf(row, FIELDS),
    operator: isResolution(row, said.rows[i - 1]) ? row.resolvedBy : operator,
  }));
  return { outcomes };
}

/** An answer that comes late leaves the resolution as it was. */
function isResolution(row: OutcomeRow, before: OutcomeRow | undefined): boolean {
  if (row.resolution === null) return false;
  return row.resolution !== before?.resolution || row.resolvedBy !== before.resolvedBy;
}
