/**
 * Outcomes that this machine keeps, and whose entries the ledger has lost: a person drops them.
 *
 * Tests: test/system/ledger-restored.test.ts, test/system/typed-answers.test.ts
 */
import { quantity } from '../../base/text.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { askOrRefuse, explainCancellation, Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Ledger, Settlement } from '../../journal/ledger.ts';

const UNCHANGED = 'Nothing was changed.';

interface LostOptions {
  /** The outcome, as the user says it. */
  said: string | undefined;
  isConfirmed: boolean;
  request: Pick<RequestOptions, 'mayAsk'>;
}

/**
 * Shows such an outcome, and drops it once that is confirmed.
 * @param id of an entry, or enough of its beginning to tell it
 * @returns false where the ledger has such an entry, or no outcome is kept for it
 * @throws Failure guard unless it is confirmed; usage where the id could mean more than one
 */
export async function resolveLost(
  host: Pick<Host, 'prompts' | 'stderr'>,
  ledger: Ledger,
  id: string,
  options: LostOptions,
): Promise<boolean> {
  if (!ledger.lost || id === '' || (await ledger.find(id)).length > 0) return false;
  const [kept, second] = ledger.lost.find(id);
  if (!kept) return false;
  if (second)
    throw new Failure(
      'entry-ambiguous',
      'More than one kept outcome begins with that id.',
      'Give more characters of the id.',
    );
  const { entry, settlement } = kept;
  await host.stderr.write(
    `${neutralise(`The ledger no longer has the entry ${entry}. This machine keeps its outcome: ${outcomeText(settlement)}.`)}\n`,
  );
  await confirmDrop(host, options);
  ledger.lost.drop(entry);
  await host.stderr.write(DROPPED);
  return true;
}

const DROPPED =
  'Dropped. The ledger does not know this, so gw may send it again. Compare with the gateway before that: `gw reconcile`.\n';

/**
 * Lists all such outcomes, and drops them once their number is confirmed.
 * @throws Failure guard unless it is confirmed
 */
export async function dropLost(
  host: Pick<Host, 'prompts' | 'stderr'>,
  ledger: Ledger,
  request: Pick<RequestOptions, 'confirmedProfile' | 'mayAsk'>,
): Promise<void> {
  // To ask the ledger is to learn which one it is.
  await ledger.requiresJournal();
  const kept = ledger.lost?.find('') ?? [];
  const there = await ledger.entries(kept.map(({ entry }) => entry));
  const lost = kept.filter(({ entry }) => !there.some((one) => one.id === entry));
  for (const { entry, settlement } of lost)
    await host.stderr.write(`${neutralise(`${entry}  ${outcomeText(settlement)}`)}\n`);
  const count = lost.length;
  await host.stderr.write(
    `This machine keeps ${quantity(count, 'outcome', 'outcomes')} of requests that the ledger no longer has.\n`,
  );
  if (count === 0) return;
  const { confirmCount } = await import('../../requests/confirm-live.ts');
  await confirmCount(host, request, count, 'how many outcomes to drop');
  for (const { entry } of lost) ledger.lost?.drop(entry);
  await host.stderr.write(DROPPED);
}

async function confirmDrop(host: Pick<Host, 'prompts'>, options: LostOptions): Promise<void> {
  if (options.said !== undefined)
    throw new Failure(
      'entry-lost',
      'gw cannot record an outcome for an entry that is gone.',
      `${UNCHANGED} Without --as, gw drops the outcome that this machine keeps.`,
    );
  if (options.isConfirmed) return;
  const unasked = new Failure(
    'nobody-to-confirm',
    'gw cannot ask you to confirm: there is no terminal.',
    `${UNCHANGED} Compare with the gateway (\`gw reconcile\`), then add --yes to drop the outcome.`,
  );
  await askOrRefuse(options.request, unasked, () => confirm(host, 'Drop it for good?'));
}

/** @returns for example `done, record 071-R-1, "Approved"` */
function outcomeText({ state, recordId, message }: Settlement): string {
  return [
    state,
    ...(recordId === null ? [] : [`record ${recordId}`]),
    ...(message === null ? [] : [JSON.stringify(message)]),
  ].join(', ');
}

/** @throws Failure guard unless the answer is yes */
export async function confirm({ prompts }: Pick<Host, 'prompts'>, question: string): Promise<void> {
  if (await explainCancellation(UNCHANGED, () => prompts.confirm(question))) return;
  throw new Failure('not-confirmed', 'Not confirmed.', UNCHANGED);
}
