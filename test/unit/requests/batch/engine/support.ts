/** A clock on which time passes only by sleeping, and lines to run on it. */
import type { Line, LineResult, Tally } from '../../../../../src/requests/batch/engine/batch.ts';
import {
  BatchRun,
  type LineSender,
  type RunOptions,
} from '../../../../../src/requests/batch/engine/batch-run.ts';
import { FieldColumns } from '../../../../../src/requests/batch/engine/columns.ts';
import { Progress } from '../../../../../src/requests/batch/engine/progress.ts';
import { Capture } from '../../../../helpers/capture.ts';

export function sleepingClock() {
  let ms = 0;
  return {
    now: () => new Date(ms),
    uptimeMs: () => ms,
    async sleep(forMs: number) {
      ms += forMs;
    },
  };
}

function lineOf(number: number): Line {
  const row = { line: number, fields: {}, isText: true, text: '' };
  return { number, key: `k${number}`, occurrence: 1, body: {}, row };
}

/** Reads the columns of a text with these names. */
export function columnsOf(...fields: string[]): FieldColumns {
  return new FieldColumns({
    fields,
    ignored: [],
    mapped: new Map(),
    isNot: { one: 'is not a field here', many: 'are not fields here' },
  });
}

type Became = Omit<LineResult<string>, 'line'>;

export const DONE: Became = { outcome: 'done', isEarlier: false };

export interface Bench {
  results: LineResult[];
  stoppedBy: BatchRun<string>['stoppedBy'];
  tally: Tally;
  mostInFlight: number;
  sent: number[];
  said: string;
}

interface Setting extends Partial<RunOptions> {
  lookUp?: (line: Line) => Promise<Became | undefined>;
  settle?: LineSender<string>['settle'];
}

/** A run of as many lines. @param send the result of a line that is sent for the n-th time */
export function benchOf(
  count: number,
  send: (line: Line, sent: number, run: BatchRun<string>) => Became | Promise<Became>,
  { lookUp = async () => undefined, settle, ...options }: Setting = {},
) {
  const sent: number[] = [];
  const times = new Map<number, number>();
  const settled: number[] = [];
  const inFlight = { now: 0, most: 0 };
  const sender: LineSender<string> = {
    lookUp: (lines) =>
      Promise.all(
        lines.map(async (line) => {
          const known = await lookUp(line);
          return known && { line, ...known };
        }),
      ),
    async send(line) {
      const { number } = line;
      inFlight.most = Math.max(inFlight.most, ++inFlight.now);
      sent.push(number);
      const time = (times.get(number) ?? 0) + 1;
      times.set(number, time);
      try {
        return { line, ...(await send(line, time, run)) };
      } finally {
        inFlight.now--;
      }
    },
    async settle(result) {
      settled.push(result.line.number);
      return settle ? settle(result) : result;
    },
  };
  const lines = Array.from({ length: count }, (_, n) => lineOf(n + 1));
  const stderr = new Capture();
  const clock = options.clock ?? sleepingClock();
  const run = new BatchRun(lines, sender, {
    clock,
    concurrency: 4,
    perSecond: undefined,
    stopAfterFailures: undefined,
    progress: new Progress(stderr, clock, () => ''),
    ...options,
  });
  return { run, sent, settled, inFlight, stderr };
}

/** Runs as many lines to the end. */
export async function runLines(...bench: Parameters<typeof benchOf>): Promise<Bench> {
  const { run, sent, inFlight, stderr } = benchOf(...bench);
  const results: LineResult[] = [];
  for await (const some of run.results()) results.push(...some);
  const { stoppedBy, tally } = run;
  return { results, stoppedBy, tally, mostInFlight: inFlight.most, sent, said: stderr.text };
}
