/**
 * The client against every form of answer, over both senders and real sockets: those
 * that it must doubt, and those that it must not, because deployments send them every day.
 *
 * The rows say what a gateway answers; what must become of a read, a write and a money request is
 * said by rules that know nothing of the code. For each row is checked: what the command would end
 * with, what it tells the user to do next, what the journal keeps, and how many requests arrived.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { CallInput } from '../../src/client/exchange/wire-request.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { planCreate } from '../../src/contract/resources/plan.ts';
import { purchaseCreate, purchaseGet } from '../../src/contract/resources/purchase.ts';
import { Failure } from '../../src/failure.ts';
import type { EntryState } from '../../src/journal/ledger.ts';
import { submitFailure } from '../../src/requests/submit/submit.ts';
import { createTestClient } from '../helpers/client.ts';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { type OpenSender, SENDERS } from '../helpers/senders.ts';

const BODIES = {
  read: undefined,
  write: { name: 'Gold', reference: 'GOLD', description: 'All of it', amount: 2500 },
  money: {
    amount: 2500,
    currency: 'AUD',
    card_number: '5123456789012346',
    card_holder: 'A',
    card_expiry: '05/2031',
    reference: 'INV-1',
  },
} as const;
const purchase: JsonObject = {
  id: '071-P-1',
  authorization: '55355',
  card_number: '512345XXXXXX2346',
  card_holder: 'A',
  card_expiry: '2031-05-31',
  card_token: 'trydc141c9he',
  amount: 2500,
  decimal_amount: 25,
  successful: true,
  message: 'Approved',
  reference: 'INV-1',
  currency: 'AUD',
  settlement_date: '2026-03-10',
  transaction_date: '2026-03-10T20:30:00+11:00',
};
const plan: JsonObject = {
  id: '071-PL-1',
  name: 'Gold',
  reference: 'GOLD',
  description: 'All of it',
  amount: 2500,
  currency: 'AUD',
  subscription_count: 0,
};

type Effect = keyof typeof BODIES;
const EFFECTS = ['read', 'write', 'money'] as const;
const CALLS: Readonly<Record<Effect, [Operation, CallInput]>> = {
  read: [purchaseGet, { id: '071-P-1' }],
  write: [planCreate, { body: BODIES.write }],
  money: [purchaseCreate, { body: BODIES.money }],
};
/** The gateway's answer to each of them. */
const RECORDS: Readonly<Record<Effect, JsonObject>> = {
  read: purchase,
  write: plan,
  money: purchase,
};

const yes = (response: Json, rest: JsonObject = {}) =>
  JSON.stringify({ successful: true, response, errors: [], test: true, ...rest });
const no = (response: Json, rest: JsonObject = {}) =>
  JSON.stringify({ successful: false, response, errors: ['No'], test: true, ...rest });

type End = 'done' | Failure['kind'];
interface Row {
  name: string;
  status: number;
  body: string;
  end: End;
  /** Texts that the message has to have. */
  said?: string[];
}

/** The message if no answer can be believed. */
const lost = (effect: Effect): End => (effect === 'read' ? 'notReached' : 'unknown');

const STATES: Readonly<Partial<Record<End, EntryState>>> = {
  done: 'done',
  declined: 'declined',
  rejected: 'rejected',
  auth: 'rejected',
  notFound: 'rejected',
  unknown: 'unknown',
};

const statuses = (...ranges: [from: number, to: number][]) =>
  ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
/** 204 and 304 have no body, whatever follows them. */
const STATUSES = statuses(
  [200, 203],
  [206, 208],
  [226, 226],
  [300, 303],
  [305, 308],
  [400, 418],
  [421, 431],
  [451, 451],
  [499, 511],
  [520, 530],
  [598, 599],
);

/** Rows of every status with each kind of body. */
function statusRows(effect: Effect): Row[] {
  const record = RECORDS[effect];
  const bodies = {
    success: yes(record),
    failure: no(null),
    'failure with a record that was made': no({ ...record, successful: true }),
    page: '<html><body>Bad news</body></html>',
    nothing: '',
    'half a success': yes(record).slice(0, -20),
    'other JSON': '{"message":"Bad news"}',
  };
  return STATUSES.flatMap((status) =>
    Object.entries(bodies).map(([name, body]) => ({
      name: `${status} with ${name}`,
      status,
      body,
      end: endOf(status, name, effect),
    })),
  );
}

function endOf(status: number, body: string, effect: Effect): End {
  const isRefused = { 401: 'auth', 403: 'auth', 404: 'notFound', 429: 'rejected' }[status] as End;
  const says = body === 'failure' ? 'failure' : body === 'success' ? 'success' : 'nothing';
  if (says === 'success') return status < 300 ? 'done' : lost(effect);
  if (['page', 'nothing', 'other JSON', 'failure'].includes(body) && isRefused) return isRefused;
  if (says === 'nothing') return lost(effect);
  if (status < 300 || (status >= 400 && status < 500) || status === 501) return 'rejected';
  if (status < 400) return lost(effect);
  return effect === 'read' || (effect === 'write' && status === 500) ? 'rejected' : 'unknown';
}

/** Rows whose envelope, records or both contradict themselves. */
function contradictionRows(effect: Effect): Row[] {
  const record = RECORDS[effect];
  const bodies: Record<string, string> = {
    'a success with errors': yes(record, { errors: ['No'] }),
    'a success with errors as text': yes(record, { errors: 'No' }),
    'a success without response': '{"successful":true,"errors":[],"test":true}',
    'a success with null': yes(null),
    'a success with {}': yes({}),
    'a success with []': yes([]),
    'a success with [{}]': yes([{}]),
    'a success with text': yes('Approved'),
    'a success with a number': yes(7),
    'a success with true': yes(true),
    'a success with two records': yes([record, record]),
    'a success with two different records': yes([record, { ...record, id: '071-P-2' }]),
    'a success with a record and something else': yes([record, 7]),
    'successful as text': JSON.stringify({ successful: 'true', response: record, errors: [] }),
    'successful as a number': JSON.stringify({ successful: 1, response: record, errors: [] }),
    'successful as null': JSON.stringify({ successful: null, response: record, errors: [] }),
    'no successful': JSON.stringify({ response: record, errors: [] }),
    'an envelope in a list': `[${yes(record)}]`,
    'two envelopes': yes(record) + yes(record),
    'an envelope and more': `${yes(record)}x`,
    ...(effect !== 'write' && {
      'two amounts': yes({ ...purchase, decimal_amount: 9999.99 }),
      'a failure with an approved record': no(purchase),
      'a failure with an approved record without an id': no({ id: null, successful: true }),
      'a failure with an authorization': no({ ...purchase, successful: false, message: null }),
      'a failure with an amount captured': no({ id: '071-P-1', captured_amount: 2500 }),
      'a failure with something captured': no({ id: '071-P-1', captured: true }),
    }),
    ...(effect !== 'read' && {
      'successful twice': yes(record).replace('{', '{"successful":false,'),
      'an amount twice': yes(record).replace('"amount":', '"amount":1,"amount":'),
    }),
    ...(effect === 'money' && {
      'approved and declined': yes({ ...purchase, authorized: false }),
      'approved with the word Declined': yes({ ...purchase, message: 'Declined' }),
      'declined with the word Approved': yes({ ...purchase, successful: false }),
    }),
  };
  const rows = Object.entries(bodies).map(([name, body]) => ({ name, body, end: lost(effect) }));
  return [200, 201].flatMap((status) => rows.map((row) => ({ ...row, status })));
}

/** Rejections of deployments: as odd as the rows above, but to be believed. */
function rejectionRows(effect: Effect): Row[] {
  const record = RECORDS[effect];
  const came = { successful: false, authorization: null, message: null, captured: false };
  const rejected: JsonObject = {
    ...record,
    ...(effect !== 'write' && came),
    settlement_date: null,
  };
  const bodies: Record<string, string> = {
    'the record, which says no itself': no(rejected),
    'the record in a list': no([rejected]),
    'the record and errors as text': no(rejected, { errors: 'Reference is already taken' }),
    'the record and no errors': no(rejected, { errors: [] }),
    'the record without a word on it': no({ ...record, ...came, message: '', authorization: '' }),
    '0 for an authorization': no({ ...rejected, authorization: 0 }),
    'zeros for an authorization': no({ ...rejected, authorization: '000000' }),
    'nothing captured': no({ ...rejected, captured: 'false', captured_amount: 0 }),
    'an id alone': no({ id: record.id ?? null }),
    'an id and a masked card': no({ id: record.id ?? null, card_number: '512345XXXXXX2346' }),
    null: no(null),
    '{}': no({}),
  };
  return [200, 201, 400, 422].flatMap((status) =>
    Object.entries(bodies).map(([name, body]) => ({
      name: `${status} with ${name}`,
      status,
      body,
      end: 'rejected' as const,
    })),
  );
}

/** Fields that the request fixes, or that say what became of it. */
const DECISIVE: Readonly<Record<Effect, readonly string[]>> = {
  read: ['id', 'amount', 'decimal_amount'],
  write: ['reference', 'amount'],
  money: ['successful', 'reference', 'amount', 'decimal_amount', 'currency', 'card_number'],
};
const WRONG: readonly Json[] = [
  7.5,
  -1,
  'x',
  '',
  true,
  false,
  [],
  ['x'],
  {},
  { a: 1 },
  { toString: '', valueOf: 0 },
  1e300,
];

/** Rows in which one field is of another type, is missing, or is null. */
function typeRows(effect: Effect): Row[] {
  const record = RECORDS[effect];
  const wrong = Object.keys(record).flatMap((field) =>
    WRONG.filter((value) => typeof value !== typeof record[field]).map((value) => ({
      name: `${field} is ${JSON.stringify(value)}`,
      body: yes({ ...record, [field]: value }),
      // No more is promised of a field that nobody asked about than that it is no defect.
      end: DECISIVE[effect].includes(field) ? lost(effect) : ('done' as const),
    })),
  );
  const missing = Object.keys(record).flatMap((field) => {
    const { [field]: _, ...rest } = record;
    const end =
      effect === 'money' && field === 'successful' ? ('unknown' as const) : ('done' as const);
    return [
      { name: `${field} is missing`, body: yes(rest), end },
      { name: `${field} is null`, body: yes({ ...record, [field]: null }), end },
    ];
  });
  const envelope = [
    { name: 'test is text', body: yes(record, { test: 'yes' }), end: 'done' as const },
    { name: 'errors is null', body: yes(record, { errors: null }), end: 'done' as const },
    { name: 'errors is {}', body: yes(record, { errors: {} }), end: 'done' as const },
    { name: 'errors is a number', body: yes(record, { errors: 7 }), end: lost(effect) },
    { name: 'errors is true', body: yes(record, { errors: true }), end: lost(effect) },
    {
      name: 'counts are text',
      body: yes(record, { pages: 'x', records: [] }),
      end: 'done' as const,
    },
  ];
  return [...wrong, ...missing, ...envelope].map((row) => ({ ...row, status: 200 }));
}

/** Values of fields in an answer to another request. */
const OTHER: Readonly<Record<Effect, readonly [field: string, value: Json][]>> = {
  read: [['id', '071-P-2']],
  write: [
    ['amount', 1],
    ['reference', 'SILVER'],
  ],
  money: [
    ['amount', 999_999],
    ['amount', 0],
    ['amount', 25],
    ['currency', 'JPY'],
    ['reference', 'INV-10'],
    ['card_number', '512345XXXXXX9999'],
    ['card_number', '411111XXXXXX2346'],
  ],
};

function differenceRows(effect: Effect): Row[] {
  const [, { id, body = {} }] = CALLS[effect];
  return OTHER[effect].flatMap(([field, value]) => {
    const asked = String(field === 'id' ? id : (body as JsonObject)[field]);
    const said = [String(value), field === 'card_number' ? '512345XXXXXX2346' : asked];
    const changed = { ...RECORDS[effect], decimal_amount: null, [field]: value };
    const row = { status: 200, end: lost(effect), said };
    return [
      { ...row, name: `another ${field}`, body: yes(changed) },
      { ...row, name: `another ${field}, in a list`, body: yes([changed]) },
      ...(effect === 'money'
        ? [
            {
              ...row,
              name: `another ${field}, declined`,
              body: yes({ ...changed, successful: false, message: 'Declined' }),
            },
          ]
        : []),
    ];
  });
}

const NEXT: Readonly<Partial<Record<End, RegExp>>> = {
  rejected: /^Nothing was processed\. /,
  auth: /`gw whoami`/,
  notFound: /`gw whoami`/,
  notReached: /Try again/,
};

describe.each(SENDERS)('over %s', (_, openSender) => {
  describe.each(EFFECTS)('a %s', (effect) => {
    test.each([
      ['every status with every body', statusRows],
      ['answers that contradict themselves', contradictionRows],
      ['rejections as deployments send them', rejectionRows],
      ['fields of another type, and fields that are missing', typeRows],
      ['answers to something else', differenceRows],
    ])('%s end with the right outcome', async (_name, rowsOf) => {
      const attempt = await bench(openSender);
      const wrong: object[] = [];
      for (const row of rowsOf(effect)) {
        const expected = expectation(row, effect);
        const seen = await attempt(row, effect);
        if (JSON.stringify(seen) !== JSON.stringify(expected))
          wrong.push({ row: row.name, seen, expected });
      }
      expect(wrong).toEqual([]);
    });
  });
});

interface Seen {
  end: End;
  state: EntryState | undefined;
  requests: number;
  /** Words that the message or its next step lacks. */
  unsaid: string[];
}

function expectation({ status, end }: Row, effect: Effect): Seen {
  const isRepeated = effect === 'read' && [429, 502, 503, 504].includes(status);
  const state = effect === 'money' ? STATES[end] : undefined;
  return { end, state, requests: isRepeated ? 4 : 1, unsaid: [] };
}

/** @returns what tries one row after the other, on one gateway with one client */
async function bench(openSender: OpenSender) {
  let text = '';
  const server = await hostileServer({ onRequest: (socket) => socket.write(text) });
  const { client, openLedger } = createTestClient({
    baseUrl: server.url,
    sender: await openSender(),
  });
  const ledger = await openLedger();
  onTestFinished(async () => {
    await client.close();
    await ledger.close();
  });

  return async (row: Row, effect: Effect): Promise<Seen> => {
    text = answer(row.status, row.body);
    const before = server.requests.length;
    const result = await client.call(...CALLS[effect]).then(
      (reply) => submitFailure(reply),
      (error: unknown) => error,
    );
    if (result !== undefined && !(result instanceof Failure)) throw result;
    const [entry] = await ledger.list({ limit: 1 });
    const end = result?.kind ?? 'done';
    const next =
      end === 'unknown' && effect === 'money' ? `gw journal resolve ${entry?.id}` : NEXT[end];
    const unsaid = [
      ...(row.said ?? []).filter((word) => !result?.message.includes(word)),
      ...(next !== undefined && result?.next.search(next) === -1 ? [String(next)] : []),
    ];
    const state = effect === 'money' ? entry?.state : undefined;
    return { end, state, requests: server.requests.length - before, unsaid };
  };
}
