/** What `gw history` does once argv is parsed. */
import { plural } from '../base/plural.ts';
import { refuseStrayCardNumbers } from '../client/stray-card-number.ts';
import type { Operation } from '../contract/operations.ts';
import { Failure, usage } from '../failure.ts';
import { type History, historyOf } from '../find/history.ts';
import { ownersNamed } from '../find/named.ts';
import type { Owner } from '../find/owner.ts';
import { sumsOf } from '../find/sums.ts';
import { type FactFlags, readFactFilter } from '../flags/fact-flags.ts';
import { parseInteger } from '../flags/parse-integer.ts';
import type { Ledger } from '../journal/ledger.ts';
import { neutralise } from '../redaction/safe.ts';
import { authorOf } from '../session/author.ts';
import type { Context } from '../session/context.ts';
import { type KnownWhere, knownWhere } from '../session/known-where.ts';
import { type PrintFlags, printRecords } from '../view/print-records.ts';
import { itemView } from '../view/records/timeline-item.ts';
import { sumsText } from '../view/sums.ts';
import { listOf } from './candidates.ts';
import { findNow } from './find-now.ts';
import { Memory } from './memory.ts';

export interface HistoryFlags extends FactFlags, PrintFlags {
  limit: string;
}

/**
 * @param name as it was typed
 * @throws Failure notFound when nothing has that name, usage when it is not told which one is meant
 */
export async function runHistory(
  context: Context,
  name: string,
  flags: HistoryFlags,
): Promise<void> {
  const text = name.trim();
  refuseStrayCardNumbers({ path: '' } as Operation, { id: text });
  const limit = parseInteger('limit', flags.limit);
  const { since, until } = readFactFilter(flags, await findNow(context, flags));
  const memory = new Memory(context.host, flags);
  try {
    const ledger = await memory.open();
    if (!ledger) throw unknownName(text);
    const { GW_PROFILE } = context.host.env;
    const owner = await ownerOf(ledger, text, { flag: flags.profile, usual: GW_PROFILE });
    const history = await historyOf(ledger, text, owner);
    if (history.of.length === 0) throw unknownName(text);
    if (history.items.length === 0) throw ambiguous(text, history);
    const items = history.items.filter(({ at }) => isWithin(at, since, until));
    await printHistory(context, { ...history, items }, limit, flags);
  } finally {
    await memory.close();
  }
}

/**
 * @param profile as it was said, and the one in use where it was not
 * @throws Failure usage where the name is known in several accounts and none was chosen
 */
async function ownerOf(
  ledger: Ledger,
  text: string,
  { flag, usual }: { flag: string | undefined; usual: string | undefined },
): Promise<Owner> {
  const owners = await ownersNamed(ledger, text);
  const of = (profile: string | undefined) => owners.filter((one) => one.profile === profile);
  const own = flag === undefined ? of(usual) : of(flag);
  const fitting = flag === undefined && own.length === 0 ? owners : own;
  const [owner] = fitting;
  if (fitting.length > 1) {
    const names = [...new Set(fitting.map((one) => one.profile))].join(', ');
    throw usage(
      'profile-ambiguous',
      `${JSON.stringify(text)} is known in several accounts, those of the profiles ${names}.`,
      'Choose one with --profile.',
    );
  }
  if (owner) return owner;
  // Only events of no profile, or nothing at all.
  return { account: null, profile: flag ?? null, host: null };
}

function isWithin(at: string, since: string | undefined, until: string | undefined): boolean {
  const time = Date.parse(at);
  return (
    (since === undefined || time >= Date.parse(since)) &&
    (until === undefined || time < Date.parse(until))
  );
}

async function printHistory(
  { host }: Context,
  { items, isCut }: History,
  limit: number,
  flags: HistoryFlags,
): Promise<void> {
  const shown = items.slice(-limit);
  const view = itemView(shown, authorOf(host).operator);
  await printRecords(host, flags, shown.map(view.record), { kind: view, isSingle: false });
  const where = await knownWhere(host, flags);
  for (const line of footer({ items, isCut }, shown.length, where))
    await host.stderr.write(`${line}\n`);
}

function footer(
  { items, isCut }: Pick<History, 'items' | 'isCut'>,
  shown: number,
  { where }: KnownWhere,
): string[] {
  const lines = sumsOf(items).map(sumsText);
  if (shown < items.length)
    lines.push(
      `Showing the latest ${shown} of ${items.length}; the sums include all. Use --limit to see more.`,
    );
  if (isCut) lines.push('There is more than gw reads at once: the oldest are missing.');
  const count = `${items.length} ${plural(items.length, 'entry', 'entries')}`;
  return [...lines, `${count}, of what was seen, sent and received ${where}.`];
}

function ambiguous(text: string, { of }: History): Failure {
  return usage(
    'name-ambiguous',
    `${JSON.stringify(text)} names several records: ${listOf(of)}.`,
    'Ask for one of them by its id.',
  );
}

function unknownName(text: string): Failure {
  return new Failure('notFound', `Nothing is known here about ${JSON.stringify(text)}.`, {
    code: 'name-unknown',
    next: `\`gw get ${neutralise(text)}\` asks the gateway, and \`gw find\` also searches for parts of words.`,
  });
}
