/** The door to the ledger: what each need makes, and what it refuses. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { openLedger } from '../../../../src/requests/known/open-ledger.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { newEvent } from '../../events/support.ts';

const NEEDS = ['reads', 'learns', 'sends'] as const;

test('a reader opens and makes nothing where nothing is kept', async () => {
  const host = createTestHost();
  expect(await openLedger(host, { needs: 'reads' })).toBeUndefined();
  expect(existsSync(ledgerPath(host.files))).toBe(false);
});

test.each(['learns', 'sends'] as const)(
  'who %s makes the file, and a reader opens it',
  async (needs) => {
    const host = createTestHost();
    await (await openLedger(host, { needs })).close();
    expect(existsSync(ledgerPath(host.files))).toBe(true);
    const ledger = await openLedger(host, { needs: 'reads' });
    expect(await ledger?.list({ limit: 1 })).toEqual([]);
    await ledger?.close();
  },
);

test('progress on many new entries is for a terminal alone', async () => {
  const texts = [];
  for (const options of [{}, { answers: [] }]) {
    const host = createTestHost(options);
    const store = new EventFile(ledgerPath(host.files));
    const event = (n: number) => newEvent({ event: 'charge:odd', payload: [{ n }] });
    await Promise.all(Array.from({ length: 1_001 }, (_, n) => store.append(event(n))));
    await store.close();
    await (await openLedger(host, { needs: 'learns' })).close();
    texts.push(host.stderr.text);
  }
  expect(texts).toEqual(['', expect.stringContaining('gw first adds 1,001 new entries')]);
});

describe('a file that is no ledger', () => {
  test.each(NEEDS)('is refused to who %s', async (needs) => {
    const host = createTestHost();
    const file = ledgerPath(host.files);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'Dear diary. '.repeat(1_000));
    const { kind, code } = await failureOf(() => openLedger(host, { needs }));
    expect([kind, code]).toEqual(['guard', 'file-damaged']);
  });
});
