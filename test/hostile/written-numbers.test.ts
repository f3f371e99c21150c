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

/** What no gateway may make gw believe: only gw itself marks a number, by a code point that stands for nothing outside. */
const FORGED = `{"id":"071-P-1AAAAAAA","amount":2500,"successful":true,"a":"\\ufdd0-","b":"\ufdd01001","c":"\\uFDD0777","d":"x\\\\ufdd0","\\ufdd05":1,"rates":[0.30,25.00]}`;

/** A number like a card's, which is masked, between numbers that stay. */
const MASKED = `{"id":"071-P-1AAAAAAA","amount":2500,"successful":true,"n":6304123456789012347,"list":[6304123456789012347,25.00]}`;

test.each<[form: string, record: string, args: string[], expected: string]>([
  [
    'jsonl',
    FORGED,
    ['-o', 'jsonl'],
    '"a":"\ufffd-","b":"\ufffd1001","c":"\ufffd777","d":"x\\\\ufdd0","\ufffd5":1',
  ],
  ['csv', FORGED, ['-o', 'csv', '--fields', 'a?,b?,c?'], 'a,b,c\n\ufffd-,\ufffd1001,\ufffd777\n'],
  ['jq', FORGED, ['--jq', '[.a, .b, (.b | type)]'], '["\ufffd-","\ufffd1001","string"]'],
  ['yaml', FORGED, ['-o', 'yaml'], 'b: "\ufffd1001"'],
  [
    'a card',
    FORGED,
    ['-o', 'table', '--fields', 'rates?,b?'],
    'rates  [0.30,25.00]\nb      \ufffd1001\n',
  ],
  [
    'jsonl',
    MASKED,
    ['-o', 'jsonl'],
    '"n":"630412XXXXXXXXX2347","list":["630412XXXXXXXXX2347",25.00]',
  ],
  [
    'csv',
    MASKED,
    ['-o', 'csv', '--fields', 'n?,list?'],
    'n,list\n630412XXXXXXXXX2347,"[""630412XXXXXXXXX2347"",25.00]"\n',
  ],
  ['yaml', MASKED, ['-o', 'yaml'], '"n": "630412XXXXXXXXX2347"'],
  ['jq', MASKED, ['--jq', '.n'], '630412XXXXXXXXX2347\n'],
  ['raw', MASKED, ['--raw'], '"n":"630412XXXXXXXXX2347"'],
  [
    'a card',
    MASKED,
    ['-o', 'table', '--fields', 'list?,n?'],
    'list  ["630412XXXXXXXXX2347",25.00]\n',
  ],
  ['a debug log', MASKED, ['--debug'], '"n":"630412XXXXXXXXX2347"'],
])('%s of %s shows no mark of a number', async (_, record, args, expected) => {
  const body = `{"successful":true,"response":${record},"errors":[],"test":true}`;
  const server = await hostileServer({
    onRequest: (socket) => socket.write(Buffer.from(answer(200, body))),
  });
  const where = { url: server.url, home: temporaryDirectory() };
  const { stdout, stderr } = await gw(['purchase', 'get', '071-P-1AAAAAAA', ...args], where);
  const shown = stdout + stderr;
  expect(shown).toContain(expected);
  expect(shown).not.toMatch(/(?<!x)\ufdd0|(?<![x\\])\\ufdd0/i);
});

test('a rejection by a large number says its digits', async () => {
  const body = '{"successful":false,"response":null,"errors":[12345678901234567890],"test":true}';
  const server = await hostileServer({
    onRequest: (socket) => socket.write(Buffer.from(answer(422, body))),
  });
  const where = { url: server.url, home: temporaryDirectory() };
  const { stderr } = await gw(['purchase', 'get', '071-P-1AAAAAAA'], where);
  expect(stderr).toContain('12345678901234567890');
  expect(stderr).not.toMatch(/\ufdd0|\\ufdd0/i);
});
