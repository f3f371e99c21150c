/**
 * The file and the server pass the same cases. Each has its own code for the transaction of an intent, an outcome and a
 * resolution (sqlite-ledger.ts, postgres-ledger.ts), made of the statements of statements.ts. So in each case both must
 * also run the same statements in the same order, except for those that stand in `OF_ONE` and `SAME`.
 *
 * The test observes the texts of the statements where they are run: in `Queries.do` of the file, and in the transactions
 * of a `Server`. It knows their names because each function of statements.ts is wrapped.
 */
import path from 'node:path';
import fc from 'fast-check';
import {
  afterAll,
  afterEach,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import type { Ledger } from '../../../src/journal/ledger.ts';
import { openPostgresLedger } from '../../../src/journal/postgres/postgres-ledger.ts';
import { openSqliteLedger } from '../../../src/journal/sqlite/sqlite-ledger.ts';
import type { factsOf } from '../../../src/journal/statements.ts';
import type { RunStatement, Server } from '../../../src/store/postgres/server.ts';
import { numbered } from '../../../src/store/postgres/work.ts';
import type { SqlQuery, Work } from '../../../src/store/sql.ts';
import { Queries } from '../../../src/store/sqlite/queries.ts';
import { Cluster, findPostgres, serverOf } from '../../helpers/postgres.ts';
import { standingTime } from '../../helpers/postgres-time.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { capCases } from './cap-cases.ts';
import { ledgerCases, MACHINE, type Place, START } from './ledger-cases.ts';
import { moreLedgerCases } from './more-ledger-cases.ts';
import { proposalCases } from './proposal-cases.ts';

/** The statements that only one of the two runs, by name or by the beginning of the text, and why. */
const OF_ONE = {
  file: {
    BEGIN: 'begins; on a server, this goes with the locks before the work',
    COMMIT: 'ends; on a server, this comes after the work',
    'SELECT copied_at': 'asks whether it is a backup; a server has other signs of an older state',
    'SELECT lower(hex(randomblob(16)))':
      'makes the id; gw makes it before a transaction of a server',
    noteOfEntry: 'notes an entry or a record to learn; on a server, triggers note it',
    knownBefore: 'reads the card that a customer had; on a server, the trigger of a sighting does',
    addDeed: 'adds what a person did; on a server, a sighting holds it',
    lateSettlementStatement:
      'overrules a person; on a server, a trigger compares the word with the outcome',
  },
  server: {
    'SELECT ledger.id, current_setting':
      'asks whether an older state was restored, if an entry is lost',
    outcomeNumbered: "reads the person's word, which the trigger has already overruled",
  },
};

/** The statements of a file for which a server has another, which adds a row from which a trigger derives the entry. */
const SAME: Readonly<Record<string, string>> = {
  supersessionStatement: 'outcomeStatement',
  settlementStatement: 'outcomeStatement',
  resolutionStatement: 'outcomeStatement',
  snapshotStatements: 'sightingStatement',
};

/** A statement that is made of several. */
const AS_ONE = /\bjson_(?:to|populate)_recordset\(/;

const { names } = vi.hoisted(() => ({ names: new Map<string, string>() }));

vi.mock('../../../src/journal/statements.ts', async (original) => {
  const statements = await original<Record<string, unknown>>();
  const wrapped = Object.entries(statements).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value];
    const named = (...values: unknown[]) => {
      const made: unknown = value(...values);
      noteNames(name, made);
      return made;
    };
    return [name, named];
  });
  return Object.fromEntries(wrapped);
});

// Several statements that a server runs as one are noted as themselves.
vi.mock('../../../src/store/postgres/alike.ts', async (original) => {
  type Alike = typeof import('../../../src/store/postgres/alike.ts');
  const { askEach, insertEach } = await original<Alike>();
  const noteAll = (queries: readonly (SqlQuery | undefined)[]) => {
    const texts = queries.flatMap((query) => query?.[0] ?? []);
    for (const text of new Set(texts)) {
      const alike = texts.filter((one) => one === text);
      if (alike.length > 1) alike.forEach(note);
    }
  };
  return {
    askEach: (run, queries) => {
      noteAll(queries);
      return askEach(run, queries);
    },
    insertEach: (run, insertions) => {
      noteAll(insertions);
      return insertEach(run, insertions);
    },
  } satisfies Alike;
});

/** Notes the name of each text that a function of statements.ts has made. */
function noteNames(name: string, made: unknown): void {
  if (name === 'snapshotStatements') {
    const [first, ...others] = made as SqlQuery[];
    noteName('snapshotStatements', first);
    noteName('noteOfEntry', others.pop());
    for (const other of others) noteName('addDeed', other);
  } else if (name === 'factsOf') {
    const { attempts, balance, used, proposal } = made as ReturnType<typeof factsOf>;
    noteName('attemptsAt', attempts);
    noteName('balanceOf', balance);
    for (const one of used) noteName('usedUnder', one);
    noteName('entryWithId', proposal);
  } else if (Array.isArray(made)) {
    noteName(name, made as unknown as SqlQuery);
  }
}

function noteName(name: string, query: SqlQuery | undefined): void {
  if (!query) return;
  const [text, values] = query;
  names.set(text, name);
  names.set(numbered({ text, values }).text, name);
}

type Kind = keyof typeof OF_ONE;

/** The name of an operation of a ledger, then the names of the statements that it ran. */
type Ran = string[];

/** The operations of each case, by its name. Cases whose operations ran together are left out: a server does those in one transaction. */
const ranByCase = { file: new Map<string, Ran[]>(), server: new Map<string, Ran[]>() };
let operations: Ran[] = [];
let open: Ran | undefined;
let isTogether = false;

const note = (text: string) => open?.push(names.get(text) ?? text.trim());

/** Notes what each operation of the ledger runs. */
function noted(ledger: Ledger): Ledger {
  for (const name of ['intend', 'foresee', 'settle', 'resolve', 'remember'] as const) {
    const operation = ledger[name].bind(ledger) as (...values: unknown[]) => Promise<unknown>;
    const wrapped = async (...values: unknown[]) => {
      isTogether ||= open !== undefined;
      open = [name];
      operations.push(open);
      try {
        return await operation(...values);
      } finally {
        open = undefined;
      }
    };
    Object.assign(ledger, { [name]: wrapped });
  }
  return ledger;
}

/** @returns the statements of an operation as both run them */
function common(kind: Kind, ran: Ran): Ran {
  const alone = Object.keys(OF_ONE[kind]);
  const both = ran.filter((name) => !alone.some((own) => name.startsWith(own)));
  return both.map((name) => SAME[name] ?? name);
}

function cases(kind: Kind, make: () => Promise<Place>): void {
  const named = () => (expect.getState().currentTestName ?? '').replace(/^.*?> /, '');
  beforeEach(() => {
    operations = [];
    isTogether = false;
  });
  afterEach(() => {
    const ran = operations.map((one) => common(kind, one));
    if (!isTogether) ranByCase[kind].set(named(), ran);
    if (kind === 'server')
      expect(ranByCase.server.get(named())).toEqual(ranByCase.file.get(named()));
  });
  ledgerCases(make);
  moreLedgerCases(make);
  capCases(make);
  proposalCases(make);
}

// Both try the same texts.
fc.configureGlobal({ seed: 1 });
afterAll(() => fc.resetConfigureGlobal());

describe('in a file', () => {
  const { do: run } = Queries.prototype;
  function* observed<Result>(work: Work<Result>): Work<Result> {
    let step = work.next({ rows: [], count: 0, said: '' });
    while (!step.done) {
      note(step.value.text);
      step = work.next(yield step.value);
    }
    return step.value;
  }
  vi.spyOn(Queries.prototype, 'do').mockImplementation(function (this: Queries, work) {
    return run.call(this, observed(work));
  });

  cases('file', async () => {
    const file = path.join(temporaryDirectory(), 'state', 'ledger.db');
    const clock = { time: Date.parse(START), now: () => new Date(clock.time) };
    const gone = new Set<string>();
    const openAs = async (operator: string, self: string | null) => {
      const ledger = await openSqliteLedger(file, clock, {
        author: { operator, machine: MACHINE },
        processes: { self, isGone: (name) => gone.has(name) },
      });
      onTestFinished(() => ledger.close());
      return noted(ledger);
    };
    return {
      as: (process) => openAs(process, process),
      asNobody: () => openAs('nobody', null),
      end: async (process) => void gone.add(process),
      async pass(ms) {
        clock.time += ms;
      },
    };
  });
});

const programs = findPostgres();

describe.skipIf(programs === undefined)('on a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  /** Notes what a transaction runs, and what is asked outside of one. */
  function observed(server: Server): Server {
    const transaction = server.transaction.bind(server);
    const runAgain = server.runAgain.bind(server);
    const noting =
      (run: RunStatement): RunStatement =>
      (text, values) => {
        if (!AS_ONE.test(text)) note(text);
        return run(text, values);
      };
    server.transaction = (work, { ask, ...beginning } = {}) =>
      transaction((run, begun) => work(noting(run), begun), {
        ...beginning,
        ...(ask && { ask: (run) => ask(noting(run)) }),
      });
    server.runAgain = (text, values) => {
      if (!AS_ONE.test(text)) note(text);
      return runAgain(text, values);
    };
    return server;
  }

  cases('server', async () => {
    const database = await cluster.emptied();
    const { pass } = await standingTime(cluster, database, START);
    const start = Date.parse(START);
    const clock = { now: () => new Date(start), uptimeMs: () => start };
    const openAs = async (operator: string) => {
      const author = { operator, machine: MACHINE };
      const ledger = openPostgresLedger(observed(serverOf(database.url)), { author, clock });
      onTestFinished(() => ledger.close());
      // The first question reads the state of the ledger.
      await ledger.admit();
      return ledger;
    };
    return {
      as: async (process) => noted(await openAs(process)),
      async asNobody() {
        const ledger = await openAs('nobody');
        const intend = ledger.intend.bind(ledger);
        ledger.intend = async (...intended) => {
          const became = await intend(...intended);
          await cluster.query(database.name, 'UPDATE gw.money_requests SET sends_until = NULL');
          return became;
        };
        return noted(ledger);
      },
      async end(process) {
        const over =
          "UPDATE gw.money_requests SET sends_until = now() - interval '1 s' WHERE operator = $1";
        await cluster.query(database.name, over, [process]);
      },
      pass,
    };
  });
});

test.skipIf(programs === undefined)('almost all cases were compared', () => {
  const compared = [...ranByCase.server.values()].filter((ran) => ran.length > 0);
  expect(compared.length).toBeGreaterThan(80);
});
