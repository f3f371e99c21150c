/** `gw journal batches`: the batches that the ledger knows. */
import type { JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/shell.ts';
import { quantity } from '../../base/text.ts';
import {
  OTHERS_HAVE,
  type ProfileChoice,
  profileScope,
  scopePhrase,
} from '../../cli/flags/whose.ts';
import { moneyText } from '../../contract/money.ts';
import { entryRecords } from '../../desk/query/entry-record.ts';
import { type ListDesk, withLedger } from '../../desk/query/search.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { type Batch, batchesOf, withCurrencies } from '../../journal/batches.ts';
import {
  ENTRY_STATES,
  type EntryState,
  type Ledger,
  type NamedBatch,
} from '../../journal/ledger.ts';
import { isOwnedBy } from '../../things/owner.ts';
import { ofProfiles } from '../../view/of-profiles.ts';
import { type OutputOptions, openPrinter, printRecords } from '../../view/print-records.ts';
import { BATCH_ENTRY_VIEW } from '../../view/records/journal-entry.ts';
import { BATCH_VIEW } from './batch.ts';

/** Entries that are read at once. */
const PAGE = 500;

interface BatchListOptions extends ProfileChoice {
  /** Only lines with these outcomes; of batches, those that have such a line. */
  outcomes: readonly EntryState[] | undefined;
  output: OutputOptions;
}

/** Prints the batches, the latest first. @throws Failure if the ledger cannot be used */
export async function listBatches(
  { host }: Context,
  options: BatchListOptions & { limit: number },
): Promise<void> {
  const { limit, outcomes, output } = options;
  const us = await profileScope(host, options);
  await withLedger(host, us, async (desk) => {
    const { batches, others } = await batchesKnown(desk);
    const isFiltered = outcomes !== undefined && batches.length > 0;
    // The lines of a batch alone say whether it has an outcome, so all batches are summed up for this filter.
    const wanted = outcomes
      ? (await summedUp(desk.ledger, batches)).filter(hasOneOf(outcomes))
      : batches;
    const records: JsonObject[] = [];
    for (const batch of await summedUp(desk.ledger, wanted.slice(0, limit)))
      records.push(BATCH_VIEW.record(await inCurrencies(desk.ledger, batch)));
    await printRecords(host, output, records, {
      kind: us.of ? BATCH_VIEW : ofProfiles(BATCH_VIEW),
      ifNone: `No batches${scopePhrase(us)} ${noneText(isFiltered, desk.source.where)}`,
    });
    if (batches.length === 0 && others.length > 0) await host.stderr.write(OTHERS_HAVE);
    const left = wanted.length - records.length;
    if (left > 0)
      await host.stderr.write(
        `${quantity(left, 'older batch is', 'older batches are')} not shown. Use --limit to see more.\n`,
      );
  });
}

/** @returns why no batch is listed, as the rest of a sentence */
const noneText = (isFiltered: boolean, where: string): string =>
  isFiltered
    ? 'have such lines. `gw journal batches` lists all.'
    : `were sent ${where}. \`gw purchase batch FILE\` sends one.`;

const hasOneOf =
  (outcomes: readonly EntryState[]) =>
  ({ counts }: Batch): boolean =>
    outcomes.some((one) => counts[one] !== undefined);

/**
 * Prints the lines of a batch, and its totals on stderr.
 * @param id its name, or enough characters of its digest
 * @throws Failure notFound or usage unless exactly one batch has it
 */
export async function showBatch(
  { host }: Context,
  id: string,
  options: BatchListOptions,
): Promise<void> {
  const { outcomes, output } = options;
  const us = await profileScope(host, options);
  await withLedger(host, us, async (desk) => {
    const { ledger } = desk;
    const [batch] = (await summedUp(ledger, [oneOf(await batchesKnown(desk), id)])) as [Batch];
    await host.stderr.write(`${headOf(await inCurrencies(ledger, batch))}\n`);
    const kind = us.of ? BATCH_ENTRY_VIEW : ofProfiles(BATCH_ENTRY_VIEW);
    const printer = openPrinter(host, output, { kind });
    const ids = await ledger.batchEntries(batch);
    for (let at = 0; at < ids.length; at += PAGE) {
      const entries = await ledger.entries(ids.slice(at, at + PAGE));
      const wanted = entries.filter(({ state }) => !outcomes || outcomes.includes(state));
      for (const record of await entryRecords(ledger, wanted)) await printer.add(record);
    }
    await printer.end();
  });
}

/** A refund names no currency (section 2.4), and a purchase may leave it to the account. */
async function inCurrencies(ledger: Ledger, batch: Batch): Promise<Batch> {
  if (!batch.done.has('')) return batch;
  const open = await ledger.openAmounts(batch);
  const known = await ledger.currencies(
    batch,
    open.map(({ purchase }) => purchase),
  );
  return withCurrencies(batch, open, known);
}

async function summedUp(ledger: Ledger, batches: readonly NamedBatch[]): Promise<Batch[]> {
  return batchesOf(batches, await ledger.batchParts(batches));
}

interface KnownBatches {
  batches: NamedBatch[];
  /** Batches of other profiles. */
  others: NamedBatch[];
}

async function batchesKnown({ ledger, scope }: ListDesk): Promise<KnownBatches> {
  const all = await ledger.batches();
  const isShown = (one: NamedBatch) => !scope || isOwnedBy(one, scope, 'listed');
  return { batches: all.filter(isShown), others: all.filter((one) => !isShown(one)) };
}

/** Batches of different operations may have the same name. */
const inFull = ({ operation, batch }: NamedBatch) => `${operation} ${batch}`;

function named(batches: readonly NamedBatch[], id: string): NamedBatch[] {
  const whole = batches.filter((one) => one.batch === id || inFull(one) === id);
  return whole.length > 0 ? whole : batches.filter(({ batch }) => isDigestOf(batch, id));
}

function oneOf({ batches, others }: KnownBatches, id: string): NamedBatch {
  const found = named(batches, id);
  const [batch, second] = found;
  if (!batch) {
    const [other] = named(others, id);
    throw new Failure(
      'batch-not-found',
      `No line of a batch ${shellWord(id)} was sent from here.`,
      other
        ? `It was sent with the profile ${other.profile}: add --profile ${other.profile} or --all-profiles.`
        : '`gw journal batches` shows the batches that are known.',
    );
  }
  if (second) {
    const names = new Set(found.map(inFull));
    const profiles = new Set(found.map(({ profile }) => profile));
    throw new Failure(
      'batch-ambiguous',
      `${found.length} batches match ${shellWord(id)}.`,
      names.size > 1
        ? `Give one of them in full: ${[...names].map(shellWord).join(', ')}.`
        : `Say whose it is with --profile: ${[...profiles].join(', ')}.`,
    );
  }
  return batch;
}

function isDigestOf(name: string, id: string): boolean {
  return /^[\da-f]{32}$/.test(name) && id.length >= 4 && name.startsWith(id);
}

/**
 * @returns for example `purchase create, sandbox at gateway.example, 2026-03-10 09:30 to 09:31, by ada: 2 done, 1
 *   declined. Total done: 50.00 AUD.`
 */
function headOf({ operation, profile, host, first, last, operators, counts, done }: Batch): string {
  const money = [...done].map(([code, amount]) => moneyText(amount, code)).join(' and ');
  const tally = ENTRY_STATES.flatMap((state: EntryState) => {
    const n = counts[state] ?? 0;
    return n === 0 ? [] : [`${n} ${state}`];
  });
  const total = money === '' ? '' : ` Total done: ${money}.`;
  const time = (instant: string) => instant.slice(0, 19).replace('T', ' ');
  const until = time(last) === time(first) ? '' : ` to ${time(last)}`;
  const when = `${time(first)}${until} UTC`;
  const by = operators.length === 0 ? '' : `, by ${operators.join(', ')}`;
  return neutralise(
    `${operation}, ${profile} at ${host}, ${when}${by}: ${tally.join(', ')}.${total}`,
  );
}
