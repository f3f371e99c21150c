/**
 * Runs `gw history`.
 *
 * Tests: test/scripts/commands/history.script, test/unit/events/event.test.ts
 */
import { periodBehind } from '../../base/periods.ts';
import { quantity } from '../../base/text.ts';
import { mayAsk } from '../../cli/flags/command-options.ts';
import { type ListOptions, readSearchFilter } from '../../cli/flags/search-flags.ts';
import { type ProfileScope, profileScope, scopeOf } from '../../cli/flags/whose.ts';
import { authorOf, type DataSource, dataSourceOf } from '../../client/ledger/place.ts';
import { plainId } from '../../contract/record.ts';
import { type History, historyOf } from '../../desk/history/history.ts';
import { lastDeclineLine } from '../../desk/history/last-decline.ts';
import { proposalLines } from '../../desk/history/open-proposals.ts';
import { ownersOfName, unknownName } from '../../desk/history/owners-of-name.ts';
import { sumsOf } from '../../desk/history/sums.ts';
import { itemView } from '../../desk/history/timeline-item.ts';
import { pickNamed, pickNear } from '../../desk/query/near-record.ts';
import { findNow } from '../../desk/query/search.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { note } from '../../host/note.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { ambiguous } from '../../requests/known/candidates.ts';
import { LazyLedger } from '../../requests/known/lazy-ledger.ts';
import { detourTo } from '../../requests/known/named-record.ts';
import { type NameMatch, resolveName, TO_TELL } from '../../requests/known/resolve-name.ts';
import { ofProfiles } from '../../view/of-profiles.ts';
import type { CurrencySums, Item } from '../../view/panels/ties.ts';
import { triesText } from '../../view/panels/words.ts';
import { type PrintHost, printRecords } from '../../view/print-records.ts';
import { amountText } from '../../view/values.ts';

/**
 * @param words the name as typed, and perhaps a time behind it
 * @throws Failure notFound if nothing has that name, usage if it is not clear which one is meant
 */
export async function runHistory(
  context: Context,
  words: readonly string[],
  given: ListOptions,
): Promise<void> {
  const whole = words.join(' ').trim();
  const { isOfAll } = given;
  const { host } = context;
  const us = await profileScope(host, given);
  const memory = new LazyLedger(host, us);
  try {
    const ledger = await memory.open();
    const known = await memory.known();
    if (!ledger || !known) throw unknownName(whole);
    const { text, options } = await timeApart(ledger, words, given);
    const { since, until } = readSearchFilter(host, options, await findNow(host, options, us));
    const scope = await scopeOf(host, us, ledger);
    const asking = { mayAsk: mayAsk(host, {}), words: ['history'], tells: options.output };
    const desk = { host, us, ledger, scope, ...asking };
    const historiesCalled = async (called: string) => {
      const found: History[] = [];
      for (const owner of await ownersOfName(ledger, called, { scope, isOfAll })) {
        const all = await resolveName(known, called, owner, TO_TELL);
        const of = await pickNamed(desk, called, all, TO_TELL);
        if (of.length === 0) continue;
        if (called === text) await sayDetour(host, text, of);
        const history = await historyOf(host, known, of, owner);
        if (history.items.length === 0) throw ambiguous(text, of);
        found.push(history);
      }
      return found;
    };
    const exact = await historiesCalled(text);
    const near = exact.length === 0 && (await pickNear(desk, text));
    const histories = near ? await historiesCalled(near.id) : exact;
    if (histories.length === 0) throw unknownName(text);
    const within: History[] = [];
    for (const { items, ...one } of histories) {
      const shown = items.filter(({ at }) => isWithin(at, since, until));
      within.push({ ...one, items: shown });
    }
    const items = await printHistories(host, within, options, us);
    const today = await findNow(host, { since: 'today', until }, us);
    const line = await lastDeclineLine(known, items, today.toISOString().slice(0, 10));
    const proposed = await proposalLines(known, items, host.clock.now());
    for (const one of [line ?? [], proposed].flat()) await note(host.stderr, one);
  } finally {
    await memory.close();
  }
}

/** Says whom or what a name means; several are the payments that have it. */
async function sayDetour(
  { stderr }: Pick<Host, 'stderr'>,
  text: string,
  [one, ...others]: readonly NameMatch[],
): Promise<void> {
  if (!one || others.length > 0 || plainId(text) === one.id) return;
  const detour = detourTo(text, one);
  if (detour !== undefined) await note(stderr, detour);
}

/** @returns the name, and the options with a time that stands behind it: somebody may be called May */
async function timeApart(
  { things }: Pick<Ledger, 'things'>,
  words: readonly string[],
  options: ListOptions,
): Promise<{ text: string; options: ListOptions }> {
  const whole = words.join(' ').trim();
  const { name, period } = periodBehind(words);
  const isRange = (options.since ?? options.until) !== undefined;
  const isKnown = async () => (await things.tied([whole], { limit: 1 })).length > 0;
  if (period === undefined || isRange || (await isKnown())) return { text: whole, options };
  return { text: name.trim(), options: { ...options, since: period, until: period } };
}

function isWithin(at: string, since: string | undefined, until: string | undefined): boolean {
  const time = Date.parse(at);
  return (
    (since === undefined || time >= Date.parse(since)) &&
    (until === undefined || time < Date.parse(until))
  );
}

/** @returns all entries, oldest first */
async function printHistories(
  host: PrintHost & Pick<Host, 'files' | 'user'>,
  histories: readonly History[],
  { limit, output }: ListOptions,
  us: ProfileScope,
): Promise<Item[]> {
  const time = ({ at }: Item) => Date.parse(at);
  const items = histories
    .flatMap((one) => one.items)
    .toSorted((one, other) => time(one) - time(other));
  const shown = items.slice(-limit);
  const view = itemView(shown, authorOf(host).operator);
  const kind = us.of ? view : ofProfiles(view);
  await printRecords(host, output, shown.map(view.record), { kind });
  const where = await dataSourceOf(host, us);
  const sums = histories.flatMap((one) => sumsIn(one.items, histories.length > 1));
  const isCut = histories.some((one) => one.isCut);
  for (const line of footer({ items, isCut, sums }, shown.length, where))
    await host.stderr.write(`${line}\n`);
  return items;
}

/** Sums never combine several accounts. */
function sumsIn(items: readonly Item[], isNamed: boolean): string[] {
  const profile = items.find((item) => item.profile !== null)?.profile;
  return sumsOf(items).map(
    (sums) => `${isNamed && profile ? `${profile}, ` : ''}${sumsText(sums)}`,
  );
}

/** @returns for example `AUD: paid 75.00 AUD (3), refunded 5.00 AUD (1), net 70.00 AUD` */
function sumsText(sums: CurrencySums): string {
  const { currency, paid, refunded, unpaid, notRefunded, unknown, heard } = sums;
  const money = (amount: number) => amountText({ amount, currency }) ?? '';
  const part = (name: string, { count, amount }: CurrencySums['paid']) =>
    `${name} ${money(amount)} (${count})`;
  const net = `net ${money(paid.amount - refunded.amount)}`;
  const parts = [part('paid', paid), part('refunded', refunded), net];
  if (unpaid.count > 0) parts.push(`unpaid ${money(unpaid.amount)} (${triesText(unpaid)})`);
  if (notRefunded.count > 0) parts.push(part('refunds declined', notRefunded));
  if (unknown.count > 0) parts.push(part('of unknown outcome', unknown));
  if (heard.count > 0) parts.push(part('not counted, from unverified webhooks alone', heard));
  return `${currency ?? 'Currency unknown'}: ${parts.join(', ')}`;
}

function footer(
  { items, isCut, sums }: Pick<History, 'items' | 'isCut'> & { sums: readonly string[] },
  shown: number,
  { known }: DataSource,
): string[] {
  const lines = [...sums];
  if (shown < items.length)
    lines.push(
      `Showing the latest ${shown} of ${items.length}; the sums include all. Use --limit to see more.`,
    );
  if (isCut) lines.push('There are more than gw reads at once. The oldest are missing.');
  return [...lines, `${quantity(items.length, 'entry', 'entries')}, of what was ${known}.`];
}
