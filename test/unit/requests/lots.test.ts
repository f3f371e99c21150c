/** Long work that ends before it is done says what stays and how to go on. */
import { expect, test } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { inLots } from '../../../src/requests/lots.ts';
import { QUIET } from '../commands/forget/erasure-cases.ts';

const WORK = { doing: 'removing', total: 30, stays: 'The oldest are gone.' };
const AWAY = new Failure('ledger-unreachable', 'The server is away.', 'Start it.');

/** Work whose lots take 10 each, until one fails. */
function failingAt(lot: number, error: Error): Promise<void> {
  let lots = 0;
  return inLots(QUIET, WORK, async () => {
    if (++lots === lot) throw error;
    return 10;
  });
}

test('a lot that fails after others says what stays and how to go on', async () => {
  await expect(failingAt(2, AWAY)).rejects.toMatchObject({
    code: 'ledger-unreachable',
    message: 'The server is away.',
    next: 'Start it. The oldest are gone. Run the same command again to go on.',
  });
});

test('the first lot that fails has left everything, and a defect says nothing more', async () => {
  await expect(failingAt(1, AWAY)).rejects.toBe(AWAY);
  const defect = new Error('defect');
  await expect(failingAt(3, defect)).rejects.toBe(defect);
});
