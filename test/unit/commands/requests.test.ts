/**
 * From argv to the request, for every operation, by both ways into gw: a gateway that writes down
 * what it is sent.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hiddenTexts, withTrimmedTexts } from '../../../src/base/clean-text.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { strayCardNumbers } from '../../../src/client/exchange/stray-card-number.ts';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { basicAuthorization } from '../../../src/host/http/basic-auth.ts';
import { runCommand, type TestHostOptions, type Way } from '../../helpers/cli.ts';
import { type ArrivedRequest, answer, hostileServer } from '../../helpers/hostile-server.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const CARD = '--card-number 5123456789012346 --card-expiry 05/2031 --cvv 123';
const card = {
  card_number: '5123456789012346',
  card_holder: 'Ada',
  card_expiry: '05/2031',
  cvv: '123',
};
const testCard = (expiry: string) => ({
  card_number: '5123456789012346',
  card_holder: 'Test Card',
  [expiry]: '12/2029',
  cvv: '123',
});

interface Case {
  argv: string;
  /** Method, target and body of what is sent. */
  sends: [method: string, target: string, body?: JsonObject][];
  stdin?: string;
  /** Only oclif knows the command. */
  ways?: Way[];
}

const OCLIF: Way[] = ['oclif'];

const CASES: Case[] = [
  {
    argv: `tokenize ${CARD} --card-holder Ada`,
    sends: [['POST', '/v1.0/credit_cards', card]],
  },
  {
    argv: 'tokenize --test-card approved',
    sends: [['POST', '/v1.0/credit_cards', testCard('card_expiry')]],
  },
  {
    argv: 'tokenize --test-card approved --alias cust-1001',
    sends: [['POST', '/v1.0/credit_cards', { ...testCard('card_expiry'), alias: 'cust-1001' }]],
  },
  {
    argv: 'tokenize --input - --alias cust-1001',
    stdin: JSON.stringify({ ...card, alias: 'cust-1000' }),
    sends: [['POST', '/v1.0/credit_cards', { ...card, alias: 'cust-1001' }]],
  },
  {
    argv: 'tokenize --card-file -',
    stdin: JSON.stringify({ ...card, expiry_date: '05/2031', card_expiry: undefined }),
    sends: [['POST', '/v1.0/credit_cards', card]],
  },
  {
    argv: `purchase create ${CARD} --card-holder Ada --amount 2500 --currency AUD --reference INV-1 --customer-ip 10.0.0.1`,
    sends: [
      [
        'POST',
        '/v1.0/purchases',
        { amount: 2500, currency: 'AUD', reference: 'INV-1', customer_ip: '10.0.0.1', ...card },
      ],
    ],
  },
  {
    argv: 'purchase create --card-token tok --cvv 987 --amount 1',
    sends: [['POST', '/v1.0/purchases', { card_token: 'tok', cvv: '987', amount: 1 }]],
  },
  {
    argv: 'purchase create --card-token tok --decimal-amount 25.00 --currency AUD',
    sends: [['POST', '/v1.0/purchases', { card_token: 'tok', currency: 'AUD', amount: 2500 }]],
  },
  {
    argv: 'purchase create --card-token tok --decimal-amount 2500 --currency JPY',
    sends: [['POST', '/v1.0/purchases', { card_token: 'tok', currency: 'JPY', amount: 2500 }]],
  },
  {
    argv: 'purchase create --input - --amount 9',
    stdin:
      '{"card_token":"tok","amount":1,"reference":null,"extra":{"kept":[null,1.5],"gone":null}}',
    sends: [
      [
        'POST',
        '/v1.0/purchases',
        { card_token: 'tok', amount: 9, extra: { kept: [null, 1.5], gone: null } },
      ],
    ],
  },
  { argv: 'purchase get 071-P-1', sends: [['GET', '/v1.0/purchases/071-P-1']] },
  {
    argv: 'purchase get a/b ü',
    sends: [
      ['GET', '/v1.0/purchases/a%2Fb'],
      ['GET', '/v1.0/purchases/%C3%BC'],
    ],
  },
  {
    argv: 'purchase get -',
    stdin: '071-P-1\r\n\n  "071-P-2"\n{"id":"071-P-3","amount":1}\n',
    sends: [
      ['GET', '/v1.0/purchases/071-P-1'],
      ['GET', '/v1.0/purchases/071-P-2'],
      ['GET', '/v1.0/purchases/071-P-3'],
    ],
  },
  {
    argv: 'refund create --transaction-id 071-P-1 --amount 500 --reference RET-1',
    // gw looks up the paid amount first, because this machine has not seen it.
    sends: [
      ['GET', '/v1.0/purchases/071-P-1'],
      ['POST', '/v1.0/refunds', { transaction_id: '071-P-1', amount: 500, reference: 'RET-1' }],
    ],
  },
  {
    argv: 'refund create --transaction-id x --decimal-amount 1.234 --currency BHD --reference r',
    // The answer here says none of the three that it is asked for: the id, the currency, and what was paid.
    sends: [
      ['GET', '/v1.0/purchases/x'],
      ['GET', '/v1.0/purchases/x'],
      ['GET', '/v1.0/purchases/x'],
      ['POST', '/v1.0/refunds', { transaction_id: 'x', amount: 1234, reference: 'r' }],
    ],
  },
  { argv: 'refund get 071-R-1', sends: [['GET', '/v1.0/refunds/071-R-1']] },
  {
    argv: 'plan create --name Gold --reference GOLD --description All --amount 2500',
    sends: [
      [
        'POST',
        '/v1.0/plans',
        { name: 'Gold', reference: 'GOLD', description: 'All', amount: 2500 },
      ],
    ],
  },
  { argv: 'plan list', sends: [['GET', '/v1.0/plans.json']], ways: OCLIF },
  {
    argv: 'plan list --limit 10 --page 2',
    // The first page says how the gateway counts them.
    sends: [
      ['GET', '/v1.0/plans.json?limit=10'],
      ['GET', '/v1.0/plans.json?limit=10&offset=2'],
    ],
    ways: OCLIF,
  },
  { argv: 'plan get 071-PL-1', sends: [['GET', '/v1.0/plans/071-PL-1']] },
  {
    argv: 'plan update 071-PL-1 --name Silver --description Less',
    sends: [['PUT', '/v1.0/plans/071-PL-1', { name: 'Silver', description: 'Less' }]],
  },
  {
    argv: 'plan update 071-PL-1 --amount 900 --reference SILVER',
    sends: [['PUT', '/v1.0/plans/071-PL-1', { amount: 900, reference: 'SILVER' }]],
  },
  {
    argv: 'plan update 071-PL-1 --decimal-amount 9.00 --currency AUD',
    // A plan names no currency, so the account's is read from its plans.
    sends: [
      ['GET', '/v1.0/plans.json'],
      ['PUT', '/v1.0/plans/071-PL-1', { amount: 900 }],
    ],
  },
  {
    argv: `customer create --first-name Ada --last-name Byron --reference C-1 --email a@b.example --ip-address ::1 --card-number 5123456789012346 --expiry-date 05/2031 --cvv 123 --card-holder Ada --address Street --city Sydney --state NSW --postcode 2000 --country AU`,
    sends: [
      [
        'POST',
        '/v1.0/customers',
        {
          first_name: 'Ada',
          last_name: 'Byron',
          reference: 'C-1',
          email: 'a@b.example',
          ip_address: '::1',
          card: {
            card_number: '5123456789012346',
            card_holder: 'Ada',
            expiry_date: '05/2031',
            cvv: '123',
          },
          address: {
            address: 'Street',
            city: 'Sydney',
            state: 'NSW',
            postcode: '2000',
            country: 'AU',
          },
        },
      ],
    ],
  },
  {
    argv: 'customer create --first-name A --last-name B --reference C --email e --card-file -',
    stdin: JSON.stringify(card),
    sends: [
      [
        'POST',
        '/v1.0/customers',
        {
          first_name: 'A',
          last_name: 'B',
          reference: 'C',
          email: 'e',
          card: {
            card_number: '5123456789012346',
            card_holder: 'Ada',
            expiry_date: '05/2031',
            cvv: '123',
          },
        },
      ],
    ],
  },
  { argv: 'customer get 071-C-1', sends: [['GET', '/v1.0/customers/071-C-1.json']] },
  {
    argv: 'customer update 071-C-1 --city Perth',
    sends: [['PUT', '/v1.0/customers/071-C-1.json', { address: { city: 'Perth' } }]],
  },
  {
    argv: 'customer update 071-C-1 --expiry-date 09/2035',
    sends: [['PUT', '/v1.0/customers/071-C-1.json', { card: { expiry_date: '09/2035' } }]],
  },
  {
    argv: 'customer update 071-C-1 --card-file - --card-holder Ada',
    stdin: '{"card_expiry":"09/2035"}',
    sends: [
      [
        'PUT',
        '/v1.0/customers/071-C-1.json',
        { card: { expiry_date: '09/2035', card_holder: 'Ada' } },
      ],
    ],
  },
  {
    argv: 'customer update 071-C-1 --test-card approved',
    sends: [['PUT', '/v1.0/customers/071-C-1.json', { card: testCard('expiry_date') }]],
  },
  { argv: 'customer delete 071-C-1', sends: [['DELETE', '/v1.0/customers/071-C-1.json']] },
  {
    argv: 'subscription create --customer 071-C-1 --plan GOLD --frequency Weekly --start-date 2027-01-01 --end-date 2028-02-29 --reference SUB-1 --no-is-active',
    sends: [
      ['GET', '/v1.0/plans/GOLD'],
      [
        'POST',
        '/v1.0/subscriptions',
        {
          customer: '071-C-1',
          plan: 'GOLD',
          frequency: 'Weekly',
          start_date: '2027-01-01',
          end_date: '2028-02-29',
          reference: 'SUB-1',
          is_active: false,
        },
      ],
    ],
    ways: OCLIF,
  },
  {
    argv: 'subscription create --customer c --plan p --frequency Daily --reference r --is-active',
    sends: [
      ['GET', '/v1.0/customers/c.json'],
      ['GET', '/v1.0/plans/p'],
      [
        'POST',
        '/v1.0/subscriptions',
        { customer: 'c', plan: 'p', frequency: 'Daily', reference: 'r', is_active: true },
      ],
    ],
  },
  { argv: 'subscription get SUB-1', sends: [['GET', '/v1.0/subscriptions/SUB-1.json']] },
  {
    argv: 'subscription update 071-S-1 --is-active',
    sends: [['PUT', '/v1.0/subscriptions/071-S-1.json', { is_active: true }]],
  },
  {
    argv: 'subscription stop 071-S-1',
    sends: [['PUT', '/v1.0/subscriptions/071-S-1.json', { is_active: false }]],
    ways: OCLIF,
  },
  {
    argv: 'get 071-P-1 071-R-1 071-PL-1 071-C-1 071-S-1',
    sends: [
      ['GET', '/v1.0/purchases/071-P-1'],
      ['GET', '/v1.0/refunds/071-R-1'],
      ['GET', '/v1.0/plans/071-PL-1'],
      ['GET', '/v1.0/customers/071-C-1.json'],
      ['GET', '/v1.0/subscriptions/071-S-1.json'],
    ],
  },
  {
    argv: 'api GET /v1.0/plans.json?limit=1 --query offset=2 --query q=a&b',
    sends: [['GET', '/v1.0/plans.json?limit=1&offset=2&q=a%26b']],
    ways: OCLIF,
  },
  {
    argv: 'api post /v1.0/refunds/void --field amount=500 --field deep.er="007" --input -',
    stdin: '{"amount":1,"kept":null}',
    sends: [['POST', '/v1.0/refunds/void', { amount: 500, kept: null, deep: { er: '007' } }]],
    ways: OCLIF,
  },
  {
    argv: 'api DELETE /v1.0/plans/071-PL-1',
    sends: [['DELETE', '/v1.0/plans/071-PL-1']],
    ways: OCLIF,
  },
];

const RUNS = CASES.flatMap(({ ways = ['fast path', 'oclif'], ...one }) =>
  ways.map((way) => ({ way, ...one })),
);

test.each(RUNS)('$way: gw $argv', async ({ way, argv, stdin, sends }) => {
  const { requests } = await send(way, argv.split(' '), stdin === undefined ? {} : { stdin });
  const sent = requests.map(({ method, target, body }) =>
    body === '' ? [method, target] : [method, target, JSON.parse(body)],
  );
  expect(sent.sort(byTarget)).toEqual([...sends].sort(byTarget));
  for (const { headers, body } of requests) {
    expect(headers).toMatchObject({
      accept: 'application/json',
      authorization: basicAuthorization('shop', 'secret-token'),
      'user-agent': 'gw/1.2.3',
    });
    expect(headers['content-type']).toBe(body === '' ? undefined : 'application/json');
    expect(headers['content-length']).toBe(
      body === '' ? headers['content-length'] : String(Buffer.byteLength(body)),
    );
  }
});

test('these commands send every operation of the interface', () => {
  const pattern = (template: string) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/, '[^/]+')}(\\?|$)`);
  const missing = OPERATIONS.filter(
    ({ method, path: template }) =>
      !CASES.some(({ sends }) =>
        sends.some(([sent, target]) => sent === method && pattern(template).test(target)),
      ),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

describe('a text of a flag', () => {
  test('arrives unchanged', async () => {
    const texts = [
      '=x',
      '--',
      '-1',
      'it\'s "quoted"',
      'two words',
      '🧾 ümläut',
      'x'.repeat(10_000),
    ];
    for (const way of ['oclif', 'fast path'] as const) {
      for (const text of texts) {
        const argv = [
          'purchase',
          'create',
          '--card-token',
          'tok',
          '--amount',
          '1',
          `--reference=${text}`,
        ];
        if (way === 'fast path' && text.startsWith('=')) continue; // It leaves those to oclif.
        const { requests } = await send(way, argv);
        expect(JSON.parse(requests[0]!.body)).toMatchObject({ reference: text });
      }
    }
  });
});

describe('a body in --input', () => {
  test('arrives unchanged but for blanks at the ends of texts, whatever it has', async () => {
    const field = fc.oneof(
      fc.string(),
      fc.constantFrom('__proto__', 'constructor', 'toString', ''),
    );
    const { tie } = fc.letrec((tied) => ({
      tie: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
        fc.boolean(),
        fc.array(tied('tie')),
        fc.dictionary(field, tied('tie')),
      ),
    }));
    // A number may be a card's by chance, and is refused then, as is a text that hides something.
    const fields = fc
      .dictionary(field, tie)
      .filter((extra) => strayCardNumbers(extra as JsonObject, false).length === 0)
      .filter((extra) => hiddenTexts(withTrimmedTexts(extra as JsonObject)).length === 0);
    const server = await recordingServer();
    const directory = temporaryDirectory();
    await fc.assert(
      fc.asyncProperty(fields, async (extra) => {
        const body = { ...extra, card_token: 'tok', amount: 1 };
        const file = path.join(directory, 'body.json');
        const text = JSON.stringify(body);
        writeFileSync(file, text);
        const argv = ['purchase', 'create', '--input', file];
        const { failure } = await runCommand('fast path', argv, { env: server.env });
        expect(failure?.kind === 'usage' ? failure.message : undefined).toBeUndefined();
        expect(server.requests.at(-1)!.body).toBe(
          JSON.stringify(withTrimmedTexts(JSON.parse(text))),
        );
      }),
      { numRuns: 60 },
    );
  });
});

const byTarget = (a: readonly unknown[], b: readonly unknown[]) =>
  String(a[1]) < String(b[1]) ? -1 : 1;

async function recordingServer() {
  const server = await hostileServer({
    onRequest: (socket, { target }) =>
      socket.write(answer(200, target.includes('plans.json') ? LIST : ANSWER)),
  });
  const env = {
    GW_USERNAME: 'shop',
    GW_API_TOKEN: 'secret-token',
    GW_BASE_URL: server.url.href,
    GW_ENVIRONMENT: 'sandbox',
  };
  return { requests: server.requests, env };
}

/** To whatever was asked. */
const ANSWER = JSON.stringify({ successful: true, response: { successful: true }, errors: [] });
const LIST = JSON.stringify({ successful: true, response: [], errors: [], test: true });

async function send(
  way: Way,
  argv: readonly string[],
  options: TestHostOptions = {},
): Promise<{ requests: readonly ArrivedRequest[] }> {
  const { env, requests } = await recordingServer();
  const { failure } = await runCommand(way, argv, { ...options, env });
  expect(failure).toBeUndefined();
  return { requests };
}
