/**
 * The benchmarks, in the order in which `npm run bench` runs them all: `NAME.bench.mjs` beside this, and
 * what it measures. A new one is a file and a line here.
 */

/** @type {Readonly<Record<string, string>>} */
export const BENCHMARKS = {
  start: 'what a command costs beside `node -e 0`, on every Node there is',
  compare: 'every kind of command beside another commit: -- compare COMMIT [ROUNDS [NODE...]]',
  batch: 'refunds a second, beside other ways to send them',
  listen:
    'deliveries a second, each on disk before its answer, beside the simplest durable listener',
  find: 'finding among a million records, requests and events',
};
