/** Lists the known records of one kind, each as it was last seen. */

import type { JsonObject } from '../../base/json.ts';
import { instantText, plural } from '../../base/text.ts';
import { type ListOptions, readSearchFilter } from '../../cli/flags/search-flags.ts';
import { ofWhom, othersHave, scopeOf, type Whose, whose } from '../../cli/flags/whose.ts';
import { type DataSource, dataSourceOf } from '../../client/ledger/data-source.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import type { Context } from '../../host/context.ts';
import type { Document } from '../../index/document.ts';
import type { SearchFilter } from '../../index/search-index.ts';
import { rememberedOf } from '../../journal/account-scope.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { openIndexedLedger } from '../../requests/known/open-indexed.ts';
import { ofProfiles } from '../../view/of-profiles.ts';
import { formatOf, type OutputOptions, openPrinter } from '../../view/print-records.ts';
import { VIEWS } from '../../view/records/gateway-records.ts';
import { findNow, findText, moreThan, onlyInEvents } from '../query/search.ts';

interface Listed {
  kind: RecordKind;
  plural: string;
}

/** @param words as they were typed @throws Failure usage when they cannot be searched for */
export async function runKnownList(
  context: Context,
  { kind, plural }: Listed,
  words: readonly string[],
  options: ListOptions,
): Promise<void> {
  const { host } = context;
  const { limit, output } = options;
  const text = findText(words);
  const us = await whose(host, options);
  const filter = readSearchFilter(options, await findNow(context, options, us));
  const view = us.of ? VIEWS[kind] : ofProfiles(VIEWS[kind]);
  const printer = openPrinter(host, output, { kind: view });
  const ledger = await openIndexedLedger(host, us);
  try {
    const scope = await scopeOf(host, us, ledger);
    const asked = { text, ...filter, kinds: [kind] };
    const documents = await ledger.documents.search({ ...asked, scope, limit: limit + 1 });
    const shown = documents.slice(0, limit);
    for (const document of shown) {
      const record = await recordOf(ledger, document);
      if (!record) continue;
      const said = isForPeople(output) ? withCurrency(record, document) : record;
      const { profile, environment } = document;
      await printer.add(us.of ? said : { ...said, profile, environment });
    }
    await printer.end();
    const where = await dataSourceOf(host, us);
    await host.stderr.write(
      shown.length > 0
        ? about({ kind, plural }, shown, where)
        : noneOf({ kind, plural }, { text, ...filter }, { us, where }),
    );
    if (shown.length === 0) await host.stderr.write(await othersHave(us, ledger.documents, asked));
    if (documents.length > limit) await host.stderr.write(moreThan(limit));
    await host.stderr.write(await onlyInEvents(ledger.documents, { ...asked, scope }));
  } finally {
    await ledger.close();
  }
}

async function recordOf(ledger: Ledger, document: Document): Promise<JsonObject | undefined> {
  const what = { kind: document.kind as RecordKind, id: document.id };
  return (await rememberedOf(ledger, what, document))?.record;
}

/** People read a refund's amount in its currency; what programs read is the gateway's record as it is. */
function withCurrency(record: JsonObject, { currency }: Document): JsonObject {
  return (record.currency ?? null) === null && currency !== null && 'amount' in record
    ? { ...record, currency }
    : record;
}

function isForPeople(output: OutputOptions): boolean {
  const format = formatOf(output);
  return format === undefined || format === 'table';
}

/** @returns a note that says what the list is, how old, and how to get current records */
function about(listed: Listed, documents: readonly Document[], { where }: DataSource): string {
  const [oldest = ''] = documents.map(({ seenAt }) => seenAt).toSorted();
  const deleted = documents.filter(({ outcome }) => outcome === 'deleted').length;
  const aside = deleted === 0 ? '' : ` ${deleted} ${plural(deleted, 'was', 'were')} deleted since.`;
  return `As seen ${where}, some as long ago as ${instantText(oldest)}.${aside}\nThe gateway cannot list ${listed.plural}; ${asking(listed)}.\n`;
}

/** @param wanted what the records were to have */
function noneOf(
  listed: Listed,
  wanted: SearchFilter & { text: string | undefined },
  { us, where: { where } }: { us: Whose; where: DataSource },
): string {
  const isAll = Object.values(wanted).every((value) => value === undefined);
  const plural = listed.plural + ofWhom(us);
  const what = isAll ? plural : `matching ${plural}`;
  return `No ${what} were seen ${where}. The gateway cannot list them; ${asking(listed)}.\n`;
}

const asking = ({ kind }: Listed) => `\`gw ${kind} get ID\` asks it for one`;
