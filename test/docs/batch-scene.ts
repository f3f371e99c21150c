/** A batch that is caught at work, at the same line and after the same time on every machine. */
import { onTestFinished } from 'vitest';
import { startFaultGateway } from '../helpers/fault-gateway.ts';
import { NOW, profileOf, type Stage } from './stage.ts';

/** `unknown` are lines whose purchase does not exist; the last of them is the one before the last answered. */
const BATCH = { lines: 240, answered: 151, unknown: [38, 150], elapsedMs: 4_800 };

/**
 * The gateway answers the first lines while the clock stands still; when the last of them is on the
 * screen, since it failed, the clock moves and one more is answered. So the number of lines and the time
 * that they took are the same on every machine.
 */
export async function playBatch({ terminal, write, prepare, setClock }: Stage): Promise<void> {
  let answerLast: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answerLast = resolve;
  });
  const gateway = await startFaultGateway({
    seed: 1,
    perMille: {},
    at: new Date(NOW),
    onMoment(moment, _count, reference) {
      const line = Number(reference.slice('RET-'.length));
      if (moment !== 'arrived' || line < BATCH.answered) return undefined;
      return line === BATCH.answered ? answered : new Promise(() => undefined);
    },
  });
  onTestFinished(() => gateway.close());
  const [purchase = ''] = await gateway.purchases(1, 10_000_000);
  const rows = Array.from({ length: BATCH.lines }, (_, n) => n + 1).map((line) => {
    const of = BATCH.unknown.includes(line) ? '102-P-UNKNOWN1' : purchase;
    return `${of},${1000 + line},RET-${line}`;
  });
  write('refunds.csv', ['transaction_id,amount,reference', ...rows, ''].join('\n'));
  await prepare(profileOf('sandbox', gateway.url));
  terminal.begin('gw refund batch refunds.csv');
  await terminal.shows(new RegExp(`RET-${BATCH.answered - 1}\\b`));
  setClock(new Date(Date.parse(NOW) + BATCH.elapsedMs).toISOString());
  answerLast();
  await terminal.shows(new RegExp(`\\b${BATCH.answered} of\\b`));
}
