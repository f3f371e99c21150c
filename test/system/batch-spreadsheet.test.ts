/**
 * Files of a batch that a person opens and saves in a spreadsheet, which changes references. The gateway counts what it
 * was asked for.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gw, type Place, placeFor, resultsOf } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import type { Ended } from '../helpers/run.ts';
import { SPREADSHEETS } from '../helpers/spreadsheets.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const PAID = 10_000;
const TOO_MUCH = 99_999;

/** Some are changed by every program, some by one, some by none. */
const REFERENCES = [
  ...['00777', '2E5', '1E5', '1234567890123112', '2026-03', '3-4', '1/2', '1.10', '+5', "'00999"],
  ...['12:30', '5%', '$5', '01.02.2026', '1,5', 'TRUE', 'true', 'Mar-26', '5 Mar', '(6)', '007.50'],
  ...['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.123Z', '20260301T110000Z', '9:05 PM', '10am'],
  ...['0.12345678901234567', '1234.56789012345678', '1 1/2', '100:30', '-1:00', '12:30:05.996'],
  ...['INV-501', 'A00777', '5e-7', '0x10', '-3'],
];
/** LibreOffice writes these in scientific notation. */
const LONG = ['1234567890123456789', '12345678901234567890', '5e1234'];

let gateway: FaultGateway;
let place: Place;
let file: string;
let ids: string[];

beforeEach(async () => {
  gateway = await startFaultGateway({ seed: 1, perMille: {} });
  place = placeFor(temporaryDirectory(), gateway.url);
  file = path.join(place.home, 'refunds.csv');
  ids = await gateway.purchases(8, PAID);
});
afterEach(() => gateway.close());

function write(references: readonly string[], amount = 100): void {
  const rows = references.map((reference, n) => `${ids[n % 8]},${amount},"${reference}"`);
  writeFileSync(file, ['transaction_id,amount,reference', ...rows, ''].join('\n'));
}

const run = (...flags: string[]): Promise<Ended> =>
  gw(place, [
    'refund',
    'batch',
    file,
    '--concurrency',
    '1',
    '--stop-after-failures',
    '99',
    ...flags,
  ]);

/** Runs the file, and again without the lines that are refused before anything is sent, if there are any. */
async function runUndamaged(): Promise<Ended> {
  const before = gateway.requests();
  const first = await run();
  if (first.code !== 2) return first;
  expect(gateway.requests()).toBe(before);
  const refused = [...first.stderr.matchAll(/refunds\.csv:(\d+): reference is "/g)].map(
    ([, n]) => n,
  );
  expect(refused).not.toEqual([]);
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.filter((_, n) => !refused.includes(String(n + 1))).join('\n'));
  return run();
}

const outcomesOf = (ended: Ended) =>
  resultsOf(ended).map(({ outcome, earlier }) => (earlier ? `${outcome}, earlier` : outcome));

/** Other languages and workbooks damage the same references in other ways, which the first test is about. */
const USUAL = SPREADSHEETS.filter(([name]) => !/ of its own| in German/.test(name));

describe.each(SPREADSHEETS)('a file saved by %s', (_, save) => {
  test('sends nothing twice: a changed reference is a conflict that names the first', async () => {
    write(REFERENCES);
    const first = await run();
    expect(outcomesOf(first)).toEqual(REFERENCES.map(() => 'done'));
    save(file);
    const again = await runUndamaged();
    expect(gateway.requests()).toBe(REFERENCES.length);
    const entries = resultsOf(first).map(({ entry }) => entry);
    for (const { outcome, earlier, entry, error } of resultsOf(again)) {
      expect(earlier).toBe(true);
      expect(entries).toContain(entry);
      if (outcome === 'done') continue;
      expect(outcome).toBe('conflict');
      expect(error?.message).toContain('A spreadsheet that saves a file');
    }
    expect(outcomesOf(again)[0]).toBe('conflict, earlier');
    expect(outcomesOf(again)).toContain('done, earlier');
  });
});

describe.each(USUAL)('a file saved by %s', (_, save) => {
  test('and the file from before it was saved, sent after it, sends nothing twice', async () => {
    const sent = REFERENCES.filter((reference) => !/^\dE/.test(reference)).slice(0, 8);
    write(sent);
    const before = readFileSync(file);
    save(file);
    expect(outcomesOf(await run())).toEqual(sent.map(() => 'done'));
    writeFileSync(file, before);
    const again = await run();
    expect(gateway.requests()).toBe(sent.length);
    expect(new Set(outcomesOf(again))).toEqual(new Set(['conflict, earlier', 'done, earlier']));
  });

  test('with long references is refused where it was damaged, and sends nothing twice', async () => {
    write(LONG);
    await run();
    save(file);
    const again = await runUndamaged();
    expect(gateway.requests()).toBe(LONG.length);
    expect(outcomesOf(again)).not.toContain('done');
  });

  test('of failed rows is sent with the references of before', async () => {
    const references = [...REFERENCES, ...LONG];
    write(references, TOO_MUCH);
    const failed = path.join(place.home, 'failed.csv');
    const first = await run('--failed', failed);
    expect(new Set(outcomesOf(first))).toEqual(new Set(['rejected']));
    // Once more: those who correct it look at it several times.
    for (let times = 0; times < 2; times++) save(failed);
    writeFileSync(file, readFileSync(failed, 'utf8').replaceAll(String(TOO_MUCH), '100'));
    const again = await run();
    expect(outcomesOf(again)).toEqual(references.map(() => 'done'));
    expect(gateway.refunds()).toEqual(new Map(references.map((reference) => [reference, 1])));
    expect(again.code).toBe(0);
  });

  test('of results is sent with the references of before', async () => {
    write(REFERENCES, TOO_MUCH);
    const { stdout } = await run('-o', 'csv');
    writeFileSync(file, stdout);
    save(file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace(/\btarget\b/, 'transaction_id').replaceAll(String(TOO_MUCH), '100'),
    );
    const ignored = 'line,outcome,earlier,id,decimal_amount,purchase_reference,message,next,entry';
    const again = await run('--ignore-columns', ignored);
    expect(again.stderr).not.toContain('refunds.csv:');
    expect(gateway.refunds()).toEqual(new Map(REFERENCES.map((reference) => [reference, 1])));
  });
});
