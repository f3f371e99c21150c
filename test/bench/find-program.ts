/** Fills a ledger with things of every kind, or asks for them. See find.bench.mjs. */

import { statSync } from 'node:fs';
import { openSqliteLedger } from '../../src/journal/sqlite/sqlite-ledger.ts';
import { ledgerFile } from '../../src/store/ledger/ledger-file.ts';
import { onlyRow } from '../../src/store/sql.ts';
import { Database } from '../../src/store/sqlite/database.ts';
import type { Queries } from '../../src/store/sqlite/queries.ts';
import { learnSources } from '../../src/things/learn.ts';
import type { SourceNews } from '../../src/things/read-sources.ts';
import type { SearchQuery } from '../../src/things/thing-index.ts';
import { make, oneOf, person, SECONDS, START } from './made-things.ts';

const [what = '', path = '', amount = '1000000'] = process.argv.slice(2);
/** Sources that are learnt one by one on top of all others, as they are when something happens. */
const ONE_BY_ONE = 2_000;
const LOT = 500;

async function fill(count: number): Promise<void> {
  const database = new Database(ledgerFile(path));
  // Random keys, a million of them: what does not fit into memory is written again and again.
  database.set('cache_size = -600000');
  const people = Array.from({ length: Math.max(1, count / 20) }, (_, n) => person(n));
  const made = (from: number, until: number) =>
    Array.from({ length: until - from }, (_, n) => {
      const at = START + ((from + n) / count) * SECONDS * 1_000;
      return make(from + n, at, oneOf(people));
    });
  const learn = (queries: Queries, told: SourceNews[]) =>
    queries.do(
      learnSources(
        told.map(({ source }) => source),
        function* () {
          yield* [];
          return told;
        },
      ),
    );
  const inLots = (queries: Queries, from: number, until: number) => {
    for (let n = from; n < until; n += LOT) learn(queries, made(n, Math.min(until, n + LOT)));
  };
  const last = count - ONE_BY_ONE;
  const madeInMs = time(() => database.write((queries) => inLots(queries, 0, last)));
  const oneMs = time(() => {
    for (const one of made(last, count)) database.write((queries) => learn(queries, [one]));
  });
  const groupMs = time(() =>
    database.write((queries) => inLots(queries, count, count + ONE_BY_ONE)),
  );
  const { things } = database.read((queries) =>
    queries.do(onlyRow<{ things: number }>('SELECT count(*) AS things FROM things')),
  );
  database.close();
  const bytes = statSync(path).size;
  say({
    sources: count + ONE_BY_ONE,
    things,
    made_at_once_seconds: Math.round(madeInMs / 1_000),
    microseconds_a_source_alone: Math.round((oneMs * 1_000) / ONE_BY_ONE),
    microseconds_a_source_among_many: Math.round((groupMs * 1_000) / ONE_BY_ONE),
    bytes_a_thing: Math.round(bytes / things),
    file_mib: Math.round(bytes / 2 ** 20),
  });
}

function time(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

const QUERIES: readonly [name: string, search: Omit<SearchQuery, 'limit'>][] = [
  ['nothing asked', {}],
  ['rare word', { text: 'c-10123' }],
  ['common word', { text: 'example' }],
  ['common name', { text: 'byron' }],
  ['two common words', { text: 'byron approved' }],
  ['two names', { text: 'ada byron' }],
  ['two common words that never meet', { text: 'byron lovelace' }],
  ['three common words that never meet', { text: 'byron lovelace declined' }],
  ['three letters', { text: 'son' }],
  ['three digits', { text: '071' }],
  ['last four', { text: '2346' }],
  ['name of two letters', { text: 'li' }],
  ['name of one ideograph', { text: '王' }],
  ['two short names', { text: 'li 李' }],
  ['short name and common word', { text: 'li approved' }],
  ['short name and a word that never meet', { text: 'li byron' }],
  ['exact reference', { text: 'INV-500001' }],
  ['amount', { amount: '25' }],
  ['rare amount', { amount: '777.77' }],
  ['money', { amount: '25.00' }],
  ['word and amount', { text: 'byron', amount: '25' }],
  ['money as a word', { text: 'byron 25.00' }],
  ['word and rare amount', { text: 'example', amount: '777.77' }],
  ['word and rare kind', { text: 'example', kinds: ['plan'] }],
  ['word and kind that never meet', { text: 'example', kinds: ['request'] }],
  ['word and kind', { text: 'byron', kinds: ['refund'] }],
  ['kind', { kinds: ['refund'] }],
  ['two kinds', { kinds: ['refund', 'customer'] }],
  ['word and outcome', { text: 'byron', outcome: 'declined' }],
  ['outcome', { outcome: 'declined' }],
  ['outcome that nothing has', { outcome: 'bad' }],
  ['word and outcome that nothing has', { text: 'example', outcome: 'bad' }],
  ['rare profile', { profile: 'sandbox' }],
  ['word and rare profile', { text: 'byron', profile: 'sandbox' }],
  ['profile that nothing has', { text: 'approved', profile: 'nosuch' }],
  ['word, one day', { text: 'byron', since: '2024-06-01', until: '2024-06-02' }],
  ['common word, long ago', { text: 'approved', until: '2024-01-02' }],
  ['day and kind', { kinds: ['refund'], since: '2024-06-01', until: '2024-06-02' }],
  ['everything at once', { text: 'byron', kinds: ['purchase'], outcome: 'declined', amount: '25' }],
  ['nothing found', { text: 'nosuchword' }],
  ['nothing found, common letters', { text: 'exampleexample' }],
  ['hostile', { text: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }],
];

async function ask(): Promise<void> {
  const ledger = await openSqliteLedger(path, { now: () => new Date() });
  for (const [name, search] of QUERIES) {
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < 5; round++) {
      const started = performance.now();
      found = (await ledger.things.search({ ...search, limit: 21 })).length;
      times.push(performance.now() - started);
      if ((times[0] ?? 0) > 3_000) break;
    }
    const ms = (value: number | undefined) => Number((value ?? 0).toFixed(1));
    say({ name, found, best_ms: ms(Math.min(...times)), first_ms: ms(times[0]) });
  }
  const started = performance.now();
  await ledger.things.sources();
  say({ name: 'sources', best_ms: Number((performance.now() - started).toFixed(1)) });
  await ledger.close();
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

if (what === 'fill') await fill(Number(amount));
else await ask();
