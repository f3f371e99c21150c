/**
 * A gateway that sends card data where none belongs, by every way in which gw shows or keeps what it is
 * sent, but for identifiers, by which records are found again. Digits are looked for without what stands between
 * them; and run.ts and temporary.ts scan again.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { filesBelow } from '../helpers/secrets.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { gw, startGw } from './support.ts';

const CARD = '5123456789012346';
/** Longer than a CVV, so that it is not found by chance. */
const CVV = '739173917391739173917391';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
const SECRET = 'a-secret-0x5ECRET-of-somebody';

/** The number as a gateway may say it back. */
const GAPS = [
  ' ',
  '-',
  '.',
  '\u00a0',
  '\u2011',
  '\t',
  '  ',
  ' - ',
  '\r\n',
  '<br>',
  '&nbsp;',
  '%20',
];
const SPELLINGS = GAPS.map((gap) => CARD.replace(/.{4}(?=.)/g, `$&${gap}`));
/** In JSON, which is decoded before it is looked through. */
const ESCAPED = CARD.replace(/\d/g, '\\u003$&');

const RECORD = {
  id: '071-P-1AAAAAAA',
  successful: true,
  message: `Approved 5123.4567.8901.2346`,
  amount: 2500,
  card_number: '5123 4567 8901 2346',
  card_holder: `ADA ${CARD}`,
  spellings: SPELLINGS,
  note: SPELLINGS.join(' and '),
  card_token: 'k6bq2mfd',
  verification_value: CVV,
  card_security_code: CVV,
  cvv2: CVV,
  number: Number(CARD),
  [CARD]: { note: `P-${CARD}`, list: [`5123-4567-8901-2346`, { pan: CARD }] },
  text: `{"cvv":"${CVV}","pan":"${CARD}"}`,
};
const envelope = (fields: object) =>
  JSON.stringify({ successful: true, response: RECORD, errors: [], test: true, ...fields }).replace(
    '"note":"',
    `"note":"${ESCAPED} and `,
  );

const FOREIGN = {
  error: `no ${CARD}`,
  cvv: CVV,
  access_token: SECRET,
  data: { client_secret: SECRET, jwt: JWT },
};
const PAGE =
  `<p>5123</p> <p>4567</p> <p>8901</p> <p>2346</p><b>${JWT}</b> access_token=${SECRET} ` +
  `<input name="cvv" value="${CVV}"> ${SPELLINGS.join(' and ')}`;

const ANSWERS: [what: string, status: number, body: string, headers?: Record<string, string>][] = [
  ['a record', 200, envelope({})],
  ['a list', 200, envelope({ response: [RECORD, RECORD], records: 2, total_records: 2 })],
  ['names twice', 200, envelope({}).replace('{', `{"errors":["${CARD}"],`)],
  [
    'errors',
    400,
    envelope({
      ...{ successful: false, response: null },
      errors: [`${CARD} is no card`, `cvv=${CVV}`, ...SPELLINGS],
    }),
  ],
  [
    'one error, cut in two',
    400,
    envelope({ successful: false, response: null, errors: `${'x'.repeat(1990)} ${CARD}` }),
  ],
  ['JSON that is no envelope', 500, JSON.stringify(FOREIGN)],
  ['JSON that is none', 500, JSON.stringify(FOREIGN).slice(0, -1)],
  ['a page', 502, PAGE],
  [
    'a redirect',
    302,
    '',
    { location: `https://u:${SECRET}@x.example/${CARD}?cvv=${CVV}&access_token=${SECRET}` },
  ],
  ['headers', 429, '', { 'retry-after': CARD, 'x-note': `cvv=${CVV}`, 'set-cookie': SECRET }],
];

const PAY = ['purchase', 'create', '--card-token', 'k6bq2mfd', '--amount', '2500'];
const COMMANDS: [what: string, args: string[]][] = [
  ['a payment', PAY],
  ['a look-up', ['purchase', 'get', '071-P-1AAAAAAA']],
  ['a list', ['plan', 'list']],
  ['an api request', ['api', 'GET', '/v1.0/other']],
];
const FORMATS = [['-o', 'json'], ['-o', 'csv'], ['-o', 'table'], [], ['--raw', '--debug']];

/**
 * Files without a text of anybody: compiled code, and SQLite's index of its log. That holds numbers of pages, and the
 * bytes of the pages 49 to 57 are digits.
 */
const NO_TEXT = /\/compiled\/|-shm$/;

function expectNone(bytes: string, place: string): void {
  const digits = bytes.replace(/(?<=\d)(?:<br>|&nbsp;|%20|\\[nrtu]|00a0|[^\da-z])+(?=\d)/gi, '');
  for (const secret of [CARD, CVV, SECRET, JWT, '512345678', ...SPELLINGS, ESCAPED])
    expect(digits.includes(secret), `${secret} in ${place}`).toBe(false);
}

describe.each(ANSWERS)('%s', (_, status, body, headers) => {
  test.each(COMMANDS)('in an answer to %s is neither shown nor stored', async (_, args) => {
    const server = await hostileServer({
      onRequest: (socket) => socket.write(Buffer.from(answer(status, body, headers))),
    });
    const home = temporaryDirectory();
    for (const format of args[0] === 'api' ? [['--debug']] : FORMATS) {
      const flags = args[0] === 'purchase' && args[1] === 'create' ? ['--allow-duplicate'] : [];
      const { stdout, stderr } = await gw([...args, ...format, ...flags], {
        url: server.url,
        home,
      });
      expectNone(stdout + stderr, `the output of ${format.join(' ')}`);
    }
    for (const show of [['journal', 'list', '--all-profiles', '-o', 'json']]) {
      const { stdout, stderr } = await gw(show, { url: server.url, home });
      expectNone(stdout + stderr, show.join(' '));
    }
    for (const { place, text } of filesBelow(home))
      if (!NO_TEXT.test(place)) expectNone(text.toString('latin1'), place);
  });
});

test('a delivery with card data is neither shown nor stored with it', async () => {
  const home = temporaryDirectory();
  const listener = startGw(['listen', '--port', '0', '--verbose'], { home });
  onTestFinished(() => void listener.child.kill('SIGKILL'));
  await listener.printed(/http:\/\/127\.0\.0\.1:\d+/);
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+[^\s]*/.exec(listener.output()) ?? [];
  const subscription = { id: '071-S-1', reference: 'SUB-1', customer: { first_name: CARD } };
  const bodies = [
    JSON.stringify({
      event: 'charge:successful',
      payload: [{ subscription, response: JSON.parse(envelope({})) }],
    }),
    `{"event":"charge:failed","event":"x","payload":"${CARD}","payload":[]}`,
    `cvv=${CVV}&card=${CARD}`,
  ];
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json', 'x-note': `${CARD} cvv=${CVV}` };
    await fetch(url, { method: 'POST', headers, body });
  }
  await fetch(`${url}/${CARD}`, { method: 'POST', body: '' });
  listener.child.kill('SIGINT');
  const { stdout, stderr } = await listener.ended;
  expectNone(stdout + stderr, 'what it printed');
  for (const args of [
    ['list', '-o', 'json'],
    ['get', '1', '-o', 'json'],
    ['get', '2', '--raw'],
    ['get', '3', '--raw'],
  ]) {
    const shown = await gw(['events', ...args], { home });
    expect(shown.code).toBe(0);
    expectNone(shown.stdout + shown.stderr, args.join(' '));
  }
  for (const { place, text } of filesBelow(home))
    if (!NO_TEXT.test(place)) expectNone(text.toString('latin1'), place);
});
