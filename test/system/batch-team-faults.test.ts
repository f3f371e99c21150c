/**
 * Three machines run one batch at once, on one ledger: against a gateway that loses answers, killed over
 * and over, with the server of the ledger killed and started again in between. Then the ledger, what each
 * machine printed and the gateway's own state must tell the same story.
 *
 * Everything follows from a seed, which a failure shows. Ordinarily it is small; the full size is
 * GW_FAULT_REFUNDS=2000 GW_FAULT_KILLS=100, with GW_FAULT_SEED for another course of events.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { makeLedger, makeOperator } from '../../src/store/ledger/init.ts';
import { expectAgreement } from '../helpers/agreement.ts';
import { resultsOf, writeRefunds } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { Cluster, findPostgres, SCHEMA, serverOf, type TestDatabase } from '../helpers/postgres.ts';
import { randomFrom } from '../helpers/random.ts';
import { approveBatch, underRules } from '../helpers/rules.ts';
import type { Ended, Running } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { killMachine, type Machine, machineFor, startOn, teamEntries } from '../helpers/team.ts';

const REFUNDS = Number(process.env.GW_FAULT_REFUNDS ?? 300);
const KILLS = Number(process.env.GW_FAULT_KILLS ?? 8);
const SEED = Number(process.env.GW_FAULT_SEED ?? 20_261_122);
const MACHINES = ['ada', 'bert', 'cleo'];
const SERVER_DEATHS = 3;
const CONCURRENCY = 8;
const MAX_RUNS = KILLS + 100;
const SERVER_AWAY = /starting or stopping|Could not reach|was lost/;
const LIMIT_MS = 120_000 + REFUNDS * 200 + KILLS * 5_000;

const PER_MILLE = {
  'reset-before': 15,
  'reset-after': 15,
  'hang-after': 10,
  'html-500': 15,
  truncated: 15,
  '429': 10,
};

const programs = findPostgres();

describe.skipIf(programs === undefined)('three machines', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  interface Story {
    gateway: FaultGateway;
    database: TestDatabase;
    references: string[];
    kills: number;
    deaths: number;
    /** How the last run of each machine ended. */
    last: Ended[];
    runs: number;
  }

  /** @param hasRules whether the profile of all has a cap, and another login has to approve the batch */
  async function live(hasRules: boolean): Promise<Story> {
    const random = randomFrom(SEED);
    const moments = ['arrived', 'processed', 'answered'] as const;
    const gateway = await startFaultGateway({ seed: SEED, perMille: PER_MILLE });
    const database = await cluster.database();
    const own = MACHINES.map((name) => machineFor(name, gateway.url, database.url));
    const machines = hasRules ? own.map((one) => underRules(one, gateway.url, REFUNDS)) : own;
    const purchases = await gateway.purchases(Math.ceil(REFUNDS / 10), 1_000);
    const { file, references } = writeRefunds(machines[0] as Machine, purchases, REFUNDS);
    const how = ['--concurrency', String(CONCURRENCY), '--timeout', '3'];
    const args = ['refund', 'batch', file, ...how, '--note', 'recall'];
    if (hasRules) await approve(database, machines[0] as Machine, args);

    const running = new Map<Machine, Running>();
    let [kills, deaths, runs] = [0, 0, 0];
    let killAt = Number.POSITIVE_INFINITY;
    let killMoment: string = 'arrived';
    const plan = () => {
      // Spread over the batch, so that there is always something left to be killed in.
      killAt = gateway.requests() + 1 + Math.floor(random() * ((1.2 * REFUNDS) / (KILLS + 1)));
      killMoment = moments[Math.floor(random() * moments.length)] ?? 'arrived';
    };
    gateway.options.onMoment = (moment, count) => {
      if (deaths < SERVER_DEATHS && count > ((deaths + 1) * REFUNDS) / (SERVER_DEATHS + 1)) {
        deaths++;
        cluster.stop('immediate');
        cluster.start();
      }
      if (kills >= KILLS || moment !== killMoment || count < killAt) return;
      const alive = [...running.values()];
      const victim = alive[Math.floor(random() * alive.length)];
      if (!victim || !killMachine(victim)) return;
      kills++;
      plan();
    };

    /** Runs it on one machine, over and over, until nothing is left to send. */
    const persist = async (machine: Machine): Promise<Ended> => {
      for (;;) {
        if (runs++ > MAX_RUNS) throw new Error(`more than ${MAX_RUNS} runs`);
        const process = startOn(machine, args);
        running.set(machine, process);
        const ended = await process.ended;
        running.delete(machine);
        if (ended.signal !== null) {
          await endLeases(database, machine);
          continue;
        }
        // One that was begun while the server was away has sent nothing.
        if (ended.code === 10 && SERVER_AWAY.test(ended.stderr)) {
          expect(ended.stdout, ended.stderr).toBe('');
          continue;
        }
        expect([0, 9], ended.stderr).toContain(ended.code);
        const isQuiet = resultsOf(ended).every(
          ({ outcome }) => outcome === 'done' || outcome === 'unknown',
        );
        if (isQuiet) return ended;
      }
    };
    plan();
    const last = await Promise.all(machines.map(persist));
    return { gateway, database, references, kills, deaths, last, runs };
  }

  async function approve(database: TestDatabase, machine: Machine, args: readonly string[]) {
    const owner = serverOf(database.url);
    await makeLedger(owner, SCHEMA);
    await cluster.query('postgres', 'CREATE ROLE grace LOGIN');
    await makeOperator(owner, 'grace', 'approver');
    await owner.close();
    const asGrace = database.url.replace('gw@', 'grace@');
    await approveBatch(machine, args, { GW_LEDGER_URL: asGrace });
  }

  /** A machine that has died is known to be dead when its lease is over; here that is at once. */
  async function endLeases({ name }: TestDatabase, { operator }: Machine): Promise<void> {
    const over =
      "UPDATE gw.money_requests SET sends_until = now() - interval '1 s' WHERE operator = $1 AND state = 'sending'";
    await expect
      .poll(() =>
        cluster.query(name, over, [operator]).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  }

  async function check(story: Story): Promise<void> {
    const { gateway, database, references, kills, deaths, last, runs } = story;
    expectAgreement({
      gateway,
      entries: (await teamEntries(database.url)).filter(({ state }) => state !== 'released'),
      references,
      last,
      mostAbandoned: kills * CONCURRENCY,
      seen: `seed ${SEED}, ${kills} kills, ${deaths} deaths of the server, ${runs} runs, ${JSON.stringify(gateway.faults)}, ${gateway.requests()} requests`,
    });
  }

  test.for([
    ['', false],
    [', with a cap and an approval', true],
  ] as const)(
    `after ${KILLS} kills in ${REFUNDS} refunds, and of the server too%s, ledger, gateway and all three agree`,
    {
      timeout: LIMIT_MS,
    },
    async ([, hasRules], { skip }) => {
      skip(hasRules && !havePrograms('script'), 'script(1) is missing');
      const story = await live(hasRules);
      try {
        await check(story);
      } finally {
        await story.gateway.close();
      }
    },
  );
});
