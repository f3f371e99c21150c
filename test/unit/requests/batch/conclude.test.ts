import { describe, expect, test } from 'vitest';
import { conclude, type Ways } from '../../../../src/requests/batch/conclude.ts';
import {
  emptyTally,
  type StopReason,
  type Tally,
} from '../../../../src/requests/batch/engine/batch.ts';
import { failureOf } from '../../../helpers/failure.ts';

const tally = (counts: Partial<Tally>): Tally => ({ ...emptyTally(), ...counts });
const WAYS: Ways = { command: 'gw refund batch r.csv', failed: undefined, isRecorded: true };

const end = (
  counts: Partial<Tally>,
  {
    stoppedBy,
    isInterrupted = false,
    ways = WAYS,
  }: Partial<{
    stoppedBy: StopReason;
    isInterrupted: boolean;
    ways: Ways;
  }> = {},
) => failureOf(() => conclude({ tally: tally(counts), stoppedBy }, isInterrupted, ways));

describe('the end of a batch', () => {
  test('is a success if all lines are done', () => {
    const report = { tally: tally({ done: 3, doneEarlier: 1 }), stoppedBy: undefined };
    expect(() => conclude(report, false, WAYS)).not.toThrow();
  });

  test('reports the lines that are left', async () => {
    expect(await end({ done: 2, declined: 1 })).toMatchObject({
      ...{ kind: 'incomplete', exitCode: 9, message: '1 line is not done.' },
    });
    const stopped = await end({ 'not-started': 2 }, { stoppedBy: { why: 'it was enough' } });
    expect(stopped.message).toBe('2 lines are not done. No more were started: it was enough.');
  });

  test.each<[Partial<Tally>, string]>([
    [
      { 'not-started': 1, 'not-sent': 1, declined: 1 },
      '2 lines were not sent by this run: run `gw refund batch r.csv` again to continue; nothing is sent twice. 1 line was declined, and no money moved: run it again to try the card again.',
    ],
    [
      { rejected: 2 },
      'The gateway rejected 2 lines and would reject them again: correct them as the reasons say, then send the corrected file.',
    ],
    [
      { refused: 1, conflict: 1 },
      'gw refused 1 line and did not send it: the reason says what to correct. 1 line was not sent, because its reference belongs to another request: the reason says which, and what to do.',
    ],
    [
      { unknown: 1 },
      'The outcome of 1 line is unknown: `gw journal resolve` finds out what happened. Until then, gw does not send it again.',
    ],
  ])('says what to do about each kind of failure: %o', async (counts, next) => {
    expect((await end(counts)).next).toBe(next);
  });

  test.each<[string, { ways?: Ways; stoppedBy?: StopReason }]>([
    ['was moved', { stoppedBy: { why: 'it moved', code: 'file-moved', kind: 'guard' } }],
    ['went back', { stoppedBy: { why: 'it did', code: 'ledger-restored', kind: 'guard' } }],
    ['lacks an entry', { stoppedBy: { why: 'it does', code: 'entry-lost', kind: 'guard' } }],
    ['was not to be kept', { ways: { ...WAYS, isRecorded: false } }],
  ])('does not suggest another run if its ledger %s', async (_, how) => {
    const counts = { done: 2, 'not-started': 1, declined: 1, unknown: 1 };
    const { next } = await end(counts, how);
    expect(next).not.toContain('twice');
    expect(next).not.toContain('run it again');
    expect(next).not.toContain(String(WAYS.command));
    expect(next).toContain('the results of this run, and of earlier ones, show');
    expect(next).toContain('`--failed FILE`');
    expect(next).toContain('look it up at the gateway');
    const ways = {
      ...WAYS,
      ...how.ways,
      failed: { path: 'left.csv', count: 2, lacksCards: false },
    };
    const kept = await end(counts, { ...how, ways });
    expect(kept.next).not.toContain('`--failed FILE`');
    expect(kept.next).toMatch(/2 rows are in left\.csv/);
  });

  test('suggests sending lines again that the gateway was too busy for', async () => {
    const counts = { rejected: 3, notNow: 2, 'not-started': 2 };
    const { next } = await end(counts, { isInterrupted: true });
    expect(next).toBe(
      '2 lines were not sent by this run: run `gw refund batch r.csv` again to continue; nothing is sent twice. The gateway was too busy for 2 lines and processed nothing of them: run it again to send them. The gateway rejected 1 line and would reject it again: correct it as the reason says, then send the corrected file.',
    );
  });

  test('does not suggest sending rejected lines again', async () => {
    for (const counts of [{ rejected: 1 }, { refused: 1 }, { conflict: 1 }, { unknown: 1 }])
      expect((await end(counts)).next).not.toContain('gw refund batch');
  });

  test('names no command if the input cannot be read again', async () => {
    const { next } = await end({ declined: 1 }, { ways: { ...WAYS, command: undefined } });
    expect(next).toContain('run it again with the same input');
  });

  test('names the file with the rows to correct, and the rows it lacks', async () => {
    const failed = { path: 'to do.csv', count: 2, lacksCards: false };
    expect((await end({ rejected: 2, unknown: 1 }, { ways: { ...WAYS, failed } })).next).toContain(
      "2 rows are in 'to do.csv', ready to be corrected and sent; rows whose outcome is unknown are left out.",
    );
  });

  test('says that cards are put back into that file, which gw does not write down', async () => {
    const failed = { path: 'left.csv', count: 1, lacksCards: true };
    expect((await end({ rejected: 1 }, { ways: { ...WAYS, failed } })).next).toContain(
      '1 row is in left.csv, ready to be corrected and sent once the card number and the CVV are put back, which gw writes to no file.',
    );
  });

  test('is an interruption if it was interrupted, even if lines are done', async () => {
    expect(await end({ done: 3 }, { isInterrupted: true })).toMatchObject({
      ...{ kind: 'interrupted', exitCode: 130 },
      message: 'Interrupted: every line has an outcome.',
    });
    expect(await end({ 'not-started': 3 }, { isInterrupted: true })).toMatchObject({
      message: 'Interrupted: 3 lines were not started; the others have an outcome.',
    });
  });
});
