/**
 * Batches against a gateway that loses answers, by processes that are killed, until all is quiet;
 * then the ledger, the output and the gateway's own state must tell the same story.
 *
 * Everything follows from a seed, which a failure shows. Ordinarily it is small; the full size is
 * GW_FAULT_REFUNDS=2000 GW_FAULT_KILLS=100, with GW_FAULT_SEED for another course of events.
 */
import { expect, test } from 'vitest';
import { expectAgreement } from '../helpers/agreement.ts';
import {
  entriesOf,
  type Place,
  placeFor,
  resultsOf,
  startGw,
  writeRefunds,
} from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { randomFrom } from '../helpers/random.ts';
import { approveBatch, underRules } from '../helpers/rules.ts';
import type { Ended, Running } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const REFUNDS = Number(process.env.GW_FAULT_REFUNDS ?? 300);
const KILLS = Number(process.env.GW_FAULT_KILLS ?? 8);
const SEED = Number(process.env.GW_FAULT_SEED ?? 20_261_121);
const CONCURRENCY = 8;
const MAX_RUNS = KILLS * 2 + 60;
const LIMIT_MS = 60_000 + REFUNDS * 200 + KILLS * 5_000;

const PER_MILLE = {
  'reset-before': 15,
  'reset-after': 15,
  'hang-after': 10,
  'html-500': 15,
  truncated: 15,
  '429': 10,
};

interface Story {
  gateway: FaultGateway;
  place: Place;
  references: string[];
  kills: number;
  /** How the last run of each process ended. */
  last: Ended[];
}

/** Runs the same batch, in `processes` at once, over and over until nothing is left to send. */
async function live(processes: number, hasRules = false): Promise<Story> {
  const random = randomFrom(SEED + processes);
  const moments = ['arrived', 'processed', 'answered'] as const;
  const gateway = await startFaultGateway({ seed: SEED, perMille: PER_MILLE });
  const own = placeFor(temporaryDirectory(), gateway.url);
  const place = hasRules ? underRules(own, gateway.url, REFUNDS) : own;
  const purchases = await gateway.purchases(Math.ceil(REFUNDS / 10), 1_000);
  const { file, references } = writeRefunds(place, purchases, REFUNDS);
  const how = ['--concurrency', String(CONCURRENCY), '--timeout', '3'];
  const args = ['refund', 'batch', file, ...how, '--note', 'recall'];
  if (hasRules) await approveBatch(place, args, { GW_OPERATOR: 'grace' });

  let kills = 0;
  let running: Running[] = [];
  let killAt = Number.POSITIVE_INFINITY;
  let killMoment: string = 'arrived';
  const plan = () => {
    // Spread over the batch, so that there is always something left to be killed in.
    killAt = gateway.requests() + 1 + Math.floor(random() * ((1.2 * REFUNDS) / (KILLS + 1)));
    killMoment = moments[Math.floor(random() * moments.length)] ?? 'arrived';
  };
  gateway.options.onMoment = (moment, count) => {
    if (kills >= KILLS || moment !== killMoment || count < killAt) return;
    const victim = running[Math.floor(random() * running.length)];
    if (!victim?.child.kill('SIGKILL')) return;
    kills++;
    plan();
  };

  let last: Ended[] = [];
  plan();
  for (let runs = 0; runs < MAX_RUNS; runs++) {
    running = Array.from({ length: processes }, () => startGw(place, args));
    last = await Promise.all(running.map((process) => process.ended));
    running = [];
    const finished = last.filter(({ signal }) => signal === null);
    for (const { code, stderr } of finished) expect([0, 9], stderr).toContain(code);
    const isQuiet = finished.some((run) =>
      resultsOf(run).every(({ outcome }) => outcome === 'done' || outcome === 'unknown'),
    );
    if (isQuiet && finished.length === processes) break;
  }
  return { gateway, place, references, kills, last };
}

async function check({ gateway, place, references, kills, last }: Story): Promise<void> {
  expectAgreement({
    gateway,
    entries: (await entriesOf(place)).filter(({ state }) => state !== 'released'),
    references,
    last,
    mostAbandoned: kills * 2 * CONCURRENCY,
    // While another process was sending it, it was neither.
    isSilent: (outcome) => outcome === 'elsewhere' && last.length > 1,
    seen: `seed ${SEED}, ${kills} kills, ${JSON.stringify(gateway.faults)}, ${gateway.requests()} requests`,
  });
}

for (const [processes, hasRules] of [[1], [2], [2, true]] as const) {
  const under = hasRules ? ', with a cap and an approval' : '';
  test.skipIf(hasRules && !havePrograms('script'))(
    `after ${KILLS} kills in ${REFUNDS} refunds, ${processes} at once${under}, ledger and gateway agree`,
    {
      timeout: LIMIT_MS,
    },
    async () => {
      const story = await live(processes, hasRules);
      try {
        await check(story);
      } finally {
        await story.gateway.close();
      }
    },
  );
}
