import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { outputOptions } from '../../../../src/cli/flags/command-options.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import type { Line, LineResult } from '../../../../src/requests/batch/engine/batch.ts';
import { Progress } from '../../../../src/requests/batch/engine/progress.ts';
import { openResults } from '../../../../src/requests/batch/results.ts';
import { Capture } from '../../../helpers/capture.ts';
import { createTestHost } from '../../../helpers/cli.ts';

const RESULTS: LineResult[] = [
  {
    line: line(2, { transaction_id: '071-P-1', amount: 2500, reference: 'R-1' }),
    ...{ outcome: 'done', isEarlier: false, entry: 'e1', record: { id: '071-R-1', amount: -2500 } },
  },
  {
    line: line(3, { transaction_id: '071-P-2', amount: 1000, reference: '$(id)' }),
    outcome: 'rejected',
    isEarlier: false,
    error: { message: 'Too\u001bmuch.', next: 'Less.' },
  },
  { line: line(4, { transaction_id: '=1', amount: 1 }), outcome: 'not-started', isEarlier: false },
];

function line(number: number, body: Line['body']): Line {
  const row = { line: number, fields: {}, isText: true };
  return { number, key: '', occurrence: 1, body, currency: 'AUD', row };
}

async function printed(
  flags: Parameters<typeof outputOptions>[0],
  isTerminal = false,
  columns = 100,
  isDryRun = false,
): Promise<string> {
  const stdout = new Capture({ isTerminal, columns });
  const host = { ...createTestHost(), stdout };
  const progress = new Progress(host.stderr, host.clock, () => '');
  const options = { output: outputOptions(flags), operation: refundCreate, isDryRun };
  const results = openResults(host, progress, options);
  await results.print(RESULTS.slice(0, 2));
  await results.print(RESULTS.slice(2));
  await results.end();
  return stdout.text;
}

const JSON_LINES = [
  '{"line":2,"outcome":"done","entry":"e1","record":{"id":"071-R-1","amount":-2500}}',
  '{"line":3,"outcome":"rejected","error":{"message":"Too\\u001bmuch.","next":"Less."}}',
  '{"line":4,"outcome":"not-started"}',
  '',
].join('\n');

describe('the results of a batch', () => {
  test('are lines of JSON in a pipe and with -o jsonl', async () => {
    expect(await printed({})).toBe(JSON_LINES);
    expect(await printed({ output: 'jsonl' }, true)).toBe(JSON_LINES);
    expect(JSON.parse(await printed({ output: 'json' }))).toHaveLength(3);
  });

  test('are the same in YAML as in JSON', async () => {
    const yaml = parse(await printed({ output: 'yaml' })) as unknown;
    expect(yaml).toEqual(JSON.parse(await printed({ output: 'json' })));
  });

  test('are the failed lines on a terminal, and nothing in them runs in a shell', async () => {
    expect(await printed({}, true)).toBe("Line 3  rejected  '$(id)'  10.00 AUD  Too\\u001bmuch.\n");
  });

  test('of a dry run on a terminal also have the lines that would be sent', async () => {
    expect(await printed({}, true, 100, true)).toMatch(/^Line 4 {2}to send/m);
  });

  test('have their reason on the next line if the line has no room', async () => {
    expect(await printed({}, true, 20)).toBe(
      "Line 3  rejected  '$(id)'  10.00 AUD\n  Too\\u001bmuch.\n",
    );
  });

  test('are CSV with the same columns for every line', async () => {
    expect(await printed({ output: 'csv', 'no-formulas': true })).toBe(
      [
        'line,outcome,earlier,id,reference,amount,decimal_amount,currency,target,purchase_reference,customer,note,message,next,entry,gw_reference',
        '2,done,false,071-R-1,R-1,2500,25.00,AUD,071-P-1,,,,,,e1,',
        '3,rejected,false,,$(id),1000,10.00,AUD,071-P-2,,,,Too\\u001bmuch.,Less.,,',
        "4,not-started,false,,,1,0.01,AUD,'=1,,,,,,,",
        '',
      ].join('\n'),
    );
  });

  test('may be only the ids of new records', async () => {
    expect(await printed({ output: 'id' })).toBe('071-R-1\n');
  });

  test('may have any picked fields', async () => {
    expect(await printed({ output: 'csv', fields: 'line,record.amount,reference' })).toBe(
      'line,record.amount,reference\n2,-2500,R-1\n3,,$(id)\n4,,\n',
    );
  });

  test('may be a table at the end', async () => {
    const table = await printed({ output: 'table' }, true);
    expect(table).toContain('25.00 AUD');
    expect(table.trimEnd().split('\n')).toHaveLength(4);
  });
});
