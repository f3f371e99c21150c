import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFiles } from '../../../../src/host/files/files.ts';
import { FieldColumns } from '../../../../src/requests/batch/engine/columns.ts';
import { readRows } from '../../../../src/requests/batch/engine/rows.ts';
import { FailedRows } from '../../../../src/requests/batch/failed-rows.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const FIELDS = ['card.card_number', 'card.cvv', 'amount', 'reference'];

function rowsOf(text: string) {
  const columns = new FieldColumns({
    ...{ fields: FIELDS, ignored: ['note'], mapped: new Map([['reference', 'Rechnung']]) },
    isNot: { one: 'is not a field', many: 'are not fields' },
  });
  return { columns, rows: [...readRows(text, columns)] };
}

/** Writes all rows of a text as failed ones. @returns what the file has then */
async function written(
  text: string,
  file = path.join(temporaryDirectory(), 'failed'),
  isAsWritten = false,
) {
  const { columns, rows } = rowsOf(text);
  const options = { source: '-', columns, hasReasons: true, isAsWritten };
  const failed = new FailedRows(createFiles({ HOME: temporaryDirectory() }), file, options);
  for (const row of rows) await failed.add([{ row, outcome: 'rejected', reason: '=No; "really"' }]);
  failed.end();
  expect(failed.count).toBe(rows.length);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return readFileSync(file, 'utf8');
}

describe('the file of failed rows', () => {
  test('is a table with the columns and separator of the input, and the reason of each row', async () => {
    const text = await written('Amount;Rechnung;Note;;\n100;A;"x;y";\n200;"B ""b""";;;');
    expect(text).toBe(
      [
        'Amount;Rechnung;Note;gw_line;gw_outcome;gw_reason;gw_reference',
        `100;A;"x;y";2;rejected;"'=No; ""really""";`,
        `200;"B ""b""";;3;rejected;"'=No; ""really""";`,
        '',
      ].join('\n'),
    );
    // The columns that gw added are not read; gw writes them again.
    const { rows } = rowsOf(text);
    expect(rows.map(({ fields }) => fields)).toEqual([
      { amount: '100', reference: 'A' },
      { amount: '200', reference: 'B "b"' },
    ]);
    expect((await written(text)).split('\n')[0]).toBe(text.split('\n')[0]);
  });

  test("has the cells of a file of gw's own as they were, and each reference without gw's apostrophe", async () => {
    const first = "amount,Rechnung\n1,'=R-1\n2,''+61 400\n3,'+61401\n4,'00777\n";
    const text = await written(first);
    expect(text.split('\n').map((line) => line.split(',').at(-1))).toEqual([
      ...['gw_reference', '', "reference: '+61 400", 'reference: +61401'],
      ...["reference: '00777", ''],
    ]);
    for (const one of [first, text, await written(text)]) {
      const { rows } = rowsOf(one);
      expect(rows.map(({ fields }) => fields.reference)).toEqual([
        ...['=R-1', "'+61 400", '+61401', "'00777"],
      ]);
      expect(rows.every(({ replaced }) => replaced === undefined)).toBe(true);
    }
  });

  test('brings back a reference that a spreadsheet changed, and keeps one that a person corrected', async () => {
    const text = await written('amount,Rechnung\n1,00777\n1,1234567890123456789\n1,2026-03\n1,A\n');
    const saved = text
      .replace('1,00777', '1,777')
      .replace('1,1234567890123456789', '1,1.23456789012346E+018')
      .replace('1,2026-03', '1,########');
    const { rows } = rowsOf(saved);
    expect(rows.map(({ fields }) => fields.reference)).toEqual([
      ...['00777', '1234567890123456789', '2026-03', 'A'],
    ]);
    // A file that is sent and fails again has the reference of before.
    expect(await written(saved)).toBe(text);
    const corrected = rowsOf(text.replace('1,00777', '1,00778').replace('1,2026-03', '1,'));
    expect(corrected.rows.map(({ fields }) => fields.reference)).toEqual([
      ...['00778', '1234567890123456789', undefined, 'A'],
    ]);
  });

  test('does not undo what a person restores after a spreadsheet', async () => {
    const text = await written('amount,Rechnung\n1,777\n1,2026/03/01\n');
    const restored = rowsOf(text.replace('1,777', '1,00777').replace('1,2026/03/01', '1,2026-03'));
    expect(restored.rows.map(({ fields }) => fields.reference)).toEqual(['00777', '2026-03']);
  });

  test('says what it replaces, unless only a spreadsheet writes that', async () => {
    const text = await written('amount,Rechnung\n1,00777\n1,00888\n1,2026-03\n1,00999\n');
    const saved = text
      .replace('1,00777', '1,0777')
      .replace('1,2026-03', '1,####')
      .replace('1,00999', '1,00998');
    const { rows } = rowsOf(saved);
    expect(rows.map(({ replaced }) => replaced)).toEqual(['0777', ...Array(3).fill(undefined)]);
  });

  test('remembers of each reference that no spreadsheet changed it, as the user said', async () => {
    const text = await written('amount,Rechnung\n1,00777\n1,777\n1,\n1,A\n', undefined, true);
    expect(text).toContain(',reference as written: 00777\n');
    const { rows } = rowsOf(text.replace('1,00777', '1,777').replace('1,A', '1,B'));
    expect(rows.map(({ fields, isAsWritten }) => [fields.reference, isAsWritten])).toEqual([
      ['00777', true],
      ['777', true],
      [undefined, undefined],
      ['B', undefined],
    ]);
    // A file that fails again keeps it, whoever runs it.
    expect((await written(text)).replaceAll(',3,', ',')).toBe(text.replaceAll(',3,', ','));
    expect(rowsOf(await written('amount,Rechnung\n1,00777\n')).rows[0]?.isAsWritten).toBeFalsy();
  });

  test('is JSON lines for JSON lines', async () => {
    const text = await written('{"amount":100,"Rechnung":"A"}\n\n{"amount":200}');
    expect(text.split('\n').map((line) => line && JSON.parse(line))).toEqual([
      ...[{ amount: 100, Rechnung: 'A', gw_line: 1, gw_outcome: 'rejected' }].map((row) => ({
        ...row,
        gw_reason: '=No; "really"',
      })),
      { amount: 200, gw_line: 3, gw_outcome: 'rejected', gw_reason: '=No; "really"' },
      '',
    ]);
    expect((await written(text)).split('\n')).toHaveLength(3);
  });

  test.each([
    'card_number,CVV,amount,note\n5123456789012346,737,1,5123 4567 8901 2346',
    '{"card":{"card_number":"5123456789012346","cvv":"737"},"amount":1,"note":"5123 4567 8901 2346"}',
  ])('has no card number and no CVV: %s', async (text) => {
    const safe = await written(text);
    expect(safe).not.toContain('737');
    expect(safe.replaceAll(/\D/g, '')).not.toContain('5123456789012346');
    expect(safe).toContain('512345');
  });

  test('replaces its earlier file and no other', async () => {
    const directory = temporaryDirectory();
    const file = path.join(directory, 'failed.csv');
    await written('amount\n1', file);
    expect(await written('amount\n2', file)).toContain('\n2,2,rejected');
    writeFileSync(file, 'amount,reference\n1,A\n');
    expect(await failureOf(() => written('amount\n1', file))).toMatchObject({
      code: 'file-exists',
    });
    expect(readFileSync(file, 'utf8')).toBe('amount,reference\n1,A\n');
  });

  test('does not replace the input', async () => {
    const file = path.join(temporaryDirectory(), 'rows.csv');
    writeFileSync(file, 'amount,gw_line\n1,2\n');
    const { columns } = rowsOf('amount\n1');
    const files = createFiles({ HOME: temporaryDirectory() });
    const open = () => new FailedRows(files, file, { source: file, columns, hasReasons: true });
    expect(await failureOf(open)).toMatchObject({ code: 'output-is-input' });
  });

  test('is not stdout, which has the results', async () => {
    const { columns } = rowsOf('amount\n1\n');
    const files = createFiles({ HOME: temporaryDirectory() });
    const open = () => new FailedRows(files, '-', { source: 'a.csv', columns, hasReasons: true });
    expect((await failureOf(open)).code).toBe('output-is-stdout');
  });

  test('does not exist without failed rows', async () => {
    const file = path.join(temporaryDirectory(), 'failed');
    const { columns } = rowsOf('amount');
    const files = createFiles({ HOME: temporaryDirectory() });
    new FailedRows(files, file, { source: '-', columns, hasReasons: true }).end();
    expect(() => statSync(file)).toThrow();
  });
});
