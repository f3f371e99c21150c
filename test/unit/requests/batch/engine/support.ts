/** A clock on which time passes only by sleeping, and lines to run on it. */
import type { Attempt, Line } from '../../../../../src/requests/batch/engine/batch.ts';
import { Columns } from '../../../../../src/requests/batch/engine/columns.ts';
import { Pace, type PaceOptions } from '../../../../../src/requests/batch/engine/pace.ts';
import {
  type NumberedResult,
  type RunOptions,
  type RunReport,
  runBatch,
} from '../../../../../src/requests/batch/engine/run.ts';
import { Stop } from '../../../../../src/requests/batch/engine/stop.ts';

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

export function lineOf(number: number): Line {
  const row = { line: number, fields: {}, isText: true, text: '' };
  return { number, key: `k${number}`, occurrence: 1, body: {}, row };
}

/** Of a text whose columns have these names. */
export function columnsOf(...fields: string[]): Columns {
  return new Columns({
    fields,
    ignored: [],
    mapped: new Map(),
    isNot: { one: 'is not a field here', many: 'are not fields here' },
  });
}

export const DONE: Attempt = { outcome: 'done', isEarlier: false };

export interface Bench {
  results: NumberedResult[];
  report: RunReport;
  mostInFlight: number;
  sent: number[];
}

export async function runLines(
  count: number,
  send: (line: Line, sent: number) => Attempt | Promise<Attempt>,
  options: Partial<RunOptions> & { pace?: never } = {},
  pace: Partial<PaceOptions> = {},
): Promise<Bench> {
  const stop = options.stop ?? new Stop();
  const results: NumberedResult[] = [];
  const sent: number[] = [];
  let inFlight = 0;
  let mostInFlight = 0;
  async function* lines(): AsyncGenerator<Line> {
    for (let n = 1; n <= count; n++) yield lineOf(n);
  }
  const report = await runBatch({
    lines: lines(),
    lookUp: async () => undefined,
    async send(line) {
      inFlight++;
      mostInFlight = Math.max(mostInFlight, inFlight);
      sent.push(line.number);
      try {
        return await send(line, sent.filter((n) => n === line.number).length);
      } finally {
        inFlight--;
      }
    },
    emit: async (some) => void results.push(...some),
    onResult: () => undefined,
    stopAfterFailures: undefined,
    ...options,
    stop,
    pace: new Pace({
      clock: sleepingClock(),
      concurrency: 4,
      perSecond: undefined,
      stopped: stop.signal,
      ...pace,
    }),
  });
  return { results, report, mostInFlight, sent };
}
