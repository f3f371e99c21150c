/** Searches a ledger in this process, and by the desk's page over HTTP, in turn. See desk.bench.mjs. */
import { get } from 'node:http';
import type { Profile } from '../../src/client/profiles/profile.ts';
import { DeskServer } from '../../src/commands/desk/desk-server.ts';
import { searchAsMeant } from '../../src/desk/query/readings.ts';
import { withLedger } from '../../src/desk/query/search.ts';
import { createHost } from '../../src/host/create.ts';
import { Redactor } from '../../src/host/redaction/redactor.ts';
import { NO_PROGRAM } from '../helpers/desk.ts';

const ROUNDS = 41;
const SEARCHES = ['byron', 'c-10123', '2346', 'byron approved', 'lovelace 25.00', 'nosuchword'];
const MOST_RESULTS = 51;

const host = createHost();
/** The same text as in test/bench/made-things.ts. */
const profile: Profile = {
  ...({ name: 'shop', environment: 'live' } as const),
  baseUrl: new URL('https://gateway.example'),
};
// Its things are of an account that no profile has.
const us = { profile, of: undefined };

const context = { host, redactor: new Redactor(), root: '.' };
const server = new DeskServer(context, {
  profile,
  us,
  program: NO_PROGRAM,
  port: 0,
  idleMs: 3_600_000,
});
const door = await server.open();
const [set = ''] = (door.enter(door.secret) ?? '').split(';');
const { origin } = new URL(door.address('/'));

/** @returns how many things are found, by what `gw find` asks */
async function inProcess(text: string): Promise<number> {
  let found = 0;
  await withLedger(host, us, async (desk) => {
    const query = { text, scope: desk.scope, limit: MOST_RESULTS };
    found = (await searchAsMeant(desk, query, undefined)).things.length;
  });
  return found;
}

/** @returns how many rows have come, as a browser asks while a person types */
function overHttp(text: string): Promise<number> {
  const headers = { cookie: set, 'x-gw-part': 'results' };
  return new Promise((resolve, reject) => {
    get(`${origin}/?q=${encodeURIComponent(text)}`, { headers }, (response) => {
      let html = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        html += part;
      });
      response.on('end', () => resolve(html.split('<tr>').length - 1));
    }).on('error', reject);
  });
}

async function timed(work: () => Promise<number>): Promise<[ms: number, found: number]> {
  const startedAt = performance.now();
  const found = await work();
  return [performance.now() - startedAt, found];
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

for (const text of SEARCHES) {
  const times: [number[], number[]] = [[], []];
  let [found, rows] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const [ms, count] = await timed(() => inProcess(text));
    const [pageMs, shown] = await timed(() => overHttp(text));
    times[0].push(ms);
    times[1].push(pageMs);
    [found, rows] = [count, shown];
  }
  const [ms, pageMs] = [median(times[0]), median(times[1])];
  const ratio = Number((pageMs / ms).toFixed(2));
  process.stdout.write(
    `${JSON.stringify({ search: text, found, rows, in_process_ms: Number(ms.toFixed(1)), ratio })}\n`,
  );
}
await server.close();
await host.exit(0);
