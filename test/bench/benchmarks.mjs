/**
 * The benchmarks, in the order in which `npm run bench` runs them all: `NAME.bench.mjs` beside this, and
 * what it measures. A new one is a file and a line here.
 */

/** @type {Readonly<Record<string, string>>} */
export const BENCHMARKS = {
  compare: 'each kind of command beside another commit and beside node alone',
  batch: 'refunds a second, beside a bare loop that sends them',
  simplest: 'refunds a second, beside the simplest honest batch, at a server that answers at once',
  listen: 'deliveries a second, each on disk before its answer, beside a simple durable listener',
  team: 'refunds a second with a ledger on a server: one machine beside a file, and three machines',
  learn: 'the CPU of learning 10,000 requests, and their bytes, beside another commit',
  scale:
    'commands in a ledger of a million requests, beside one of ten thousand and another commit',
  reconcile: 'the CPU and the memory of reading books, beside another commit',
  complete: 'a Tab of the shell beside `gw --version`, in a ledger with 10,000 purchases',
  desk: 'the first rows of a search of the desk, beside the same query in the process',
  mcp: 'the CPU of gw mcp while nobody asks, beside that of its start',
  find: 'finding among a million records, requests and events',
};
