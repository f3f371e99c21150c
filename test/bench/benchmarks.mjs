/**
 * The benchmarks, in the order in which `npm run bench` runs them all: `NAME.bench.mjs` beside this, and
 * what it measures. A new one is a file and a line here.
 */

/** @type {Readonly<Record<string, string>>} */
export const BENCHMARKS = {
  start: 'what a command costs beside `node -e 0`, on every Node there is',
  'local-reads': 'what reads only this machine, beside `gw purchase create -p local`',
  gateway: 'requests to the embedded gateway a second, beside the same HTTP server with a constant',
  billing: 'billing days of ten thousand subscriptions',
  ledger: 'what a money request pays for the journal',
  batch: 'refunds a second, beside other ways to send them',
  listen:
    'deliveries a second, each on disk before its answer, beside the simplest durable listener',
  desk: 'the ties of a card, and histories, in a ledger of a million facts',
  find: 'finding among a million records, requests and events',
  report: 'reports over a ledger of a million facts',
  'facts-server': 'finding on a server of its own; `facts-server 10000000` for ten million facts',
  team: 'a shared ledger beside the file: a refund, a batch, two at once, a guard',
};
