/** A gateway whose records have numbers that JavaScript would change, by every way in which gw shows a record. */
import { expect, test } from 'vitest';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { gw } from './support.ts';

const NUMBERS = ['12345678901234567890', '25.00', '1e400', '-0.50'];
const fields = NUMBERS.map((digits, i) => `"n${i}":${digits}`).join();
const RECORD = `{"id":"071-P-1AAAAAAA","amount":2500,"decimal_amount":25.00,"successful":true,${fields},"fees":[25.00,{"rate":0.30}]}`;
const BODY = `{"successful":true,"response":${RECORD},"errors":[],"test":true}`;

const DOORS: [args: string[], expected: string][] = [
  [
    ['-o', 'jsonl'],
    `"n0":12345678901234567890,"n1":25.00,"n2":1e400,"n3":-0.50,"fees":[25.00,{"rate":0.30}]`,
  ],
  [['-o', 'json'], '"n0": 12345678901234567890,\n  "n1": 25.00,\n  "n2": 1e400,\n  "n3": -0.50,'],
  [['-o', 'csv'], '12345678901234567890,25.00,1e400,-0.50,"[25.00,{""rate"":0.30}]"'],
  [
    ['-o', 'tsv', '--fields', 'n0?,n1?,n2?,fees?'],
    '12345678901234567890\t25.00\t1e400\t[25.00,{"rate":0.30}]',
  ],
  [['-o', 'table', '--fields', 'n0?,n1?,n2?'], 'n0  12345678901234567890\nn1  25.00\nn2  1e400\n'],
  [['-o', 'yaml'], 'n0: 12345678901234567890\nn1: 25.00\nn2: 1.0e400\nn3: -0.50\n'],
  [['--jq', '[.n0, .n1, .fees]'], '[12345678901234567890,25.00,[25.00,{"rate":0.30}]]'],
  [['--jq', '.n1 + 1'], '26'],
  [['--raw'], BODY],
];

test.each(DOORS)('gw purchase get with %j shows the digits', async (args, expected) => {
  const server = await hostileServer({
    onRequest: (socket) => socket.write(Buffer.from(answer(200, BODY))),
  });
  const where = { url: server.url, home: temporaryDirectory() };
  const { stdout } = await gw(['purchase', 'get', '071-P-1AAAAAAA', ...args], where);
  expect(stdout).toContain(expected);
  expect(stdout).not.toContain('\ufdd0');
});
