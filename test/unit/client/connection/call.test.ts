/** The order of a call: admit, check, confirm, learn, intend, send, settle; and what stops it at each step. */
import { describe, expect, test } from 'vitest';
import type { RequestOptions } from '../../../../src/client/connection/request-options.ts';
import type { Profile } from '../../../../src/client/profiles/profile.ts';
import { HeldBack, type WireRequest } from '../../../../src/client/senders/sender.ts';
import { purchaseCreate, purchaseGet } from '../../../../src/contract/resources/purchase.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { Failure } from '../../../../src/failure.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import type { IntentVerdict, Ledger } from '../../../../src/journal/ledger.ts';
import { ANSWERS, CALLS, ENVELOPE, REFUSAL } from '../../../helpers/calls.ts';
import { Capture } from '../../../helpers/capture.ts';
import { standingClock } from '../../../helpers/client.ts';
import { testConnection } from '../../../helpers/connection.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const REFUND = {
  body: { transaction_id: '071-P-1', amount: 500, reference: 'RET-1' },
} as const;
const RECORDED: IntentVerdict = { kind: 'recorded', id: 'entry-1' };

interface Setting {
  profile?: Partial<Profile>;
  options?: Partial<RequestOptions>;
  /** Methods of the ledger that replace the usual ones. */
  ledger?: Partial<Ledger>;
  /** The body of every answer. */
  body?: string;
  /** The answer to the question for the name of the profile. */
  typed?: string;
  /** Why no connection can be opened. */
  unconnected?: Failure;
  /** Whether gw's files are still there before a change is sent. */
  isThere?: boolean;
}

/** A connection whose steps are written down in order. */
function logged({
  profile,
  options,
  ledger,
  body = ENVELOPE,
  typed = '',
  unconnected,
  isThere = true,
}: Setting = {}) {
  const stderr = new Capture();
  const steps: string[] = [];
  const sent: WireRequest[] = [];
  const kept: string[][] = [];
  const recording: Partial<Ledger> = {
    async balances() {
      steps.push('balance');
      return new Map();
    },
    currencies: async (_, ids) => new Map(ids.map((id) => [id, 'AUD'])),
    admit: async () => undefined,
    foresee: async () => [],
    async intend(_, conditions) {
      steps.push(conditions?.line ? `intend ${conditions.line.line}` : 'intend');
      return RECORDED;
    },
    settle: async (id, { state }) => void steps.push(`settle ${id} ${state}`),
    remember: async () => void steps.push('remember'),
    remembered: async () => [],
    close: async () => void steps.push('close ledger'),
    ...ledger,
  };
  const connection = testConnection({
    host: {
      clock: standingClock(),
      files: createFiles({ HOME: temporaryDirectory() }),
      stderr,
      prompts: {
        text: async () => {
          steps.push('confirm');
          return typed;
        },
      } as never,
    },
    profile: { ...profile },
    load: Object.assign(() => undefined, {
      keepAll() {
        kept.push([...steps]);
        return isThere;
      },
    }),
    ...(options && { options }),
    parts: {
      openLedger: async () => recording as Ledger,
      openSender: async () => {
        if (unconnected) throw unconnected;
        return {
          async send(request, { mayLeave }) {
            if (mayLeave?.() === false) throw new HeldBack();
            steps.push(`send ${request.method}`);
            sent.push(request);
            const isRefund = request.url.pathname.endsWith('/refunds');
            const shown = isRefund ? body.replaceAll('071-P-', '071-R-') : body;
            return { status: 200, headers: {}, body: shown };
          },
          close: async () => void steps.push('close sender'),
        };
      },
    },
  });
  return { connection, steps, sent, stderr, kept };
}

test('the program is kept in memory once, before the first change is intended', async () => {
  const { connection, kept } = logged();
  await connection.call(...CALLS.read);
  expect(kept).toEqual([]);
  for (let n = 0; n < 2; n++) await connection.call(...CALLS.money);
  expect(kept).toHaveLength(1);
  expect(kept[0]).not.toContain('intend');
  const writing = logged();
  await writing.connection.call(...CALLS.write);
  expect(writing.kept).toEqual([[]]);
});

test('a program that was replaced sends no change, and intends none', async () => {
  const { connection, steps } = logged({ isThere: false });
  for (const call of [CALLS.money, CALLS.write, CALLS.money]) {
    const { code, sent } = await failureOf(() => connection.call(...call));
    expect({ code, sent }).toEqual({ code: 'program-replaced', sent: false });
  }
  expect(steps.filter((step) => /^(?:intend|send P)/.test(step))).toEqual([]);
  await connection.call(...CALLS.read);
});

test('a connection that cannot be opened says so once, and its ledger is closed', async () => {
  const unconnected = new Failure('proxy-invalid', 'No proxy.', '');
  const { connection, steps } = logged({ unconnected });
  await connection.ledger.open();
  expect((await failureOf(() => connection.call(...CALLS.money))).code).toBe('proxy-invalid');
  await connection.close();
  expect(steps).toEqual(['close ledger']);
});

describe('the currency of a refund', () => {
  const currencyOf = (ledger: Partial<Ledger>, profile: Partial<Profile> = {}) =>
    logged({ ledger, profile }).connection;

  test('is unknown without a journal, and not guessed from the profile', async () => {
    const connection = currencyOf({ purchaseOf: () => expect.unreachable() }, { currency: 'AUD' });
    expect(await connection.ledger.currencyKnown({ refund: '071-R-1' })).toBeUndefined();
  });

  test('comes from the journal, and is unknown if the journal cannot be read', async () => {
    const failing = new Failure('ledger-failed', 'Damaged.', '');
    for (const [answer, expected] of [
      [async () => new Map([['071-P-1', 'JPY']]), 'JPY'],
      [async () => new Map(), undefined],
      [() => Promise.reject(failing), undefined],
    ] as const) {
      const connection = currencyOf(
        { purchaseOf: async () => '071-P-1', currencies: answer },
        { currency: 'AUD' },
      );
      await connection.ledger.open();
      expect(await connection.ledger.currencyKnown({ refund: '071-R-1' })).toBe(expected);
    }
  });
});

test('records are read for their account, or for the last known one if the username is unknown', async () => {
  const wanted: unknown[] = [];
  const ledger: Partial<Ledger> = {
    remembered: async (what) => {
      wanted.push(what.of?.account);
      return [];
    },
    accountOf: async () => 'last',
  };
  const known = logged({ ledger }).connection;
  await known.ledger.open();
  const { account } = await known.ledger.destination();
  await known.ledger.remembered('customer', 9);
  const unknown = logged({ ledger }).connection;
  const locked = new Failure('keychain-locked', 'Locked.', '');
  unknown.wire.username = () => Promise.reject(locked);
  await unknown.ledger.open();
  await unknown.ledger.remembered('customer', 9);
  expect(account).toBe('sandbox/shop');
  expect(wanted).toEqual([account, 'last']);
});

describe('a money request', () => {
  test('is recorded, sent once and settled, in this order', async () => {
    const { connection, steps } = logged();
    const reply = await connection.call(...CALLS.money);
    await connection.close();
    expect(reply).toMatchObject({ outcome: 'approved', entry: 'entry-1' });
    expect(reply.unrecorded).toBeUndefined();
    expect(steps).toEqual([
      ...['intend', 'send POST', 'settle entry-1 done'],
      ...['close sender', 'close ledger'],
    ]);
  });

  test('of a live profile is confirmed before anything is recorded', async () => {
    const { connection, steps } = logged({
      profile: { name: 'shop', environment: 'live' },
      options: { mayAsk: true },
      typed: 'shop',
    });
    await connection.call(...CALLS.money);
    expect(steps).toEqual(['confirm', 'intend', 'send POST', 'settle entry-1 done']);
  });

  test('that is a refund looks its purchase up before it asks for confirmation', async () => {
    const { connection, steps } = logged({
      profile: { name: 'shop', environment: 'live' },
      options: { mayAsk: true, refusesOverRefunds: true },
      typed: 'shop',
    });
    await connection.call(refundCreate, REFUND);
    expect(steps).toEqual([
      ...['balance', 'send GET', 'remember', 'balance', 'confirm'],
      ...['intend', 'send POST', 'settle entry-1 done'],
    ]);
  });

  test.each<[string, Setting]>([
    [
      'whose purchase is known',
      { ledger: { balances: async (_, ids) => new Map(ids.map((id) => [id, balance])) } },
    ],
    ['that may be of any amount', { options: { refusesOverRefunds: false } }],
  ])('that is a refund %s looks up nothing', async (_, setting) => {
    const { connection, sent } = logged({ options: { refusesOverRefunds: true }, ...setting });
    await connection.call(refundCreate, REFUND);
    expect(sent.map(({ method }) => method)).toEqual(['POST']);
  });

  test('that is a refund of a purchase that was only authorised is not sent', async () => {
    const setting = {
      options: { refusesOverRefunds: true },
      body: ENVELOPE.replace('"message":"Approved"', '"message":"Approved","captured":false'),
    };
    const { connection, steps } = logged(setting);
    expect(await failureOf(() => connection.call(refundCreate, REFUND))).toMatchObject({
      kind: 'guard',
      code: 'purchase-only-authorised',
      sent: false,
      message: '071-P-1 was only authorised. No money was taken, so there is nothing to refund.',
    });
    expect(steps).toEqual(['balance', 'send GET', 'remember']);
    const { sent, ...allowed } = logged({ ...setting, options: { refusesOverRefunds: false } });
    await allowed.connection.call(refundCreate, REFUND);
    expect(sent.map(({ method }) => method)).toEqual(['POST']);
  });

  test('that is a refund is sent even if its purchase is not found', async () => {
    const { connection, steps } = logged({
      options: { refusesOverRefunds: true },
      profile: { allowedCommands: ['refund create'] },
      body: REFUSAL,
    });
    await failureOf(() => connection.call(refundCreate, REFUND));
    expect(steps).toEqual([
      ...['balance', 'send GET', 'intend', 'send POST', 'settle entry-1 rejected'],
    ]);
  });

  test.each<[string, Setting, RegExp]>([
    [
      'another purchase',
      { body: ENVELOPE.replace('071-P-1', '071-P-2') },
      /^Note: gw asked the gateway how much of 071-P-1 is left to refund\. .*its id is 071-P-2, not 071-P-1/,
    ],
    [
      'a declined one',
      { body: ENVELOPE.replace('"successful":true,"message":"Approved"', '"successful":false') },
      /^Note: the gateway says that 071-P-1 was declined/,
    ],
    [
      'one of the test mode',
      { profile: { name: 'shop', environment: 'live' }, options: { mayAsk: true }, typed: 'shop' },
      /^Note: the profile shop is live, but the gateway answered in TEST mode/,
    ],
  ])('that is a refund warns first if the gateway answers with %s', async (_, setting, said) => {
    const { connection, stderr } = logged({
      ...setting,
      options: { ...setting.options, refusesOverRefunds: true },
    });
    await connection.call(refundCreate, REFUND).catch(() => undefined);
    expect(stderr.text).toMatch(said);
  });

  test('that is a line of a batch is not confirmed, looks up nothing and claims its line', async () => {
    const { connection, steps } = logged({
      profile: { name: 'shop', environment: 'live' },
      options: { refusesOverRefunds: true },
    });
    const claim = {
      batch: 'march',
      line: 'k1',
      occurrence: 1,
      siblings: [{ amount: 100, lines: 1 }],
      among: 'all' as const,
      retries: 'none' as const,
    };
    const kept = await connection.ledger.keeper(refundCreate);
    const line = { body: REFUND.body, request: kept(REFUND), line: claim };
    expect(await connection.foresee(refundCreate, [line], 'balance')).toEqual([]);
    expect(steps).toEqual([]);
    const answered = await connection.sendLine(refundCreate, line);
    expect(steps).toEqual(['intend k1', 'send POST']);
    expect(await connection.settle(answered)).toMatchObject({ outcome: 'approved' });
    expect(steps.slice(2)).toEqual(['settle entry-1 done']);
    const again = await connection.sendLine(refundCreate, line);
    const failure = await failureOf(() => connection.settle(again));
    expect(failure).toMatchObject({ code: 'answers-mixed-up', kind: 'unknown', entry: 'entry-1' });
    const said = 'its refund 071-R-1 belongs to another request';
    expect(failure.message).toContain(said);
    expect(steps.slice(-1)).toEqual(['settle entry-1 unknown']);
  });

  test('that shows the record of a request in the journal is unknown', async () => {
    const settled: string[] = [];
    const settle: Ledger['settle'] = async (_, { state }, __, madeRecord) => {
      settled.push(`${state} ${madeRecord}`);
      return state === 'done' ? 'of-another' : undefined;
    };
    const { connection } = logged({ ledger: { settle } });
    const failure = await failureOf(() => connection.call(...CALLS.money));
    expect(failure).toMatchObject({ code: 'answers-mixed-up', kind: 'unknown', entry: 'entry-1' });
    expect(failure.message).toContain('belongs to another request');
    expect(settled).toEqual(['done 071-P-1', 'unknown null']);
  });

  test('is not sent if its lease ends before the connection is open, and is settled as not sent', async () => {
    const lease = { wallMs: 0, uptimeMs: 0 };
    const intended = async () => ({ ...RECORDED, lease }) as const;
    const { connection, steps } = logged({ ledger: { intend: intended } });
    const failure = await failureOf(() => connection.call(...CALLS.money));
    expect(failure).toMatchObject({ kind: 'notReached', code: 'lease-over', entry: 'entry-1' });
    expect(failure.sent).toBe(false);
    expect(failure.next).toMatch(/Run the command again\.$/);
    expect(steps).toEqual(['settle entry-1 not-sent']);
  });

  test('that the gateway refuses is settled, and the failure names its entry', async () => {
    const { connection, steps } = logged({ body: REFUSAL });
    const failure = await failureOf(() => connection.call(...CALLS.money));
    expect(failure).toMatchObject({ code: 'rejected-by-gateway', entry: 'entry-1' });
    expect(steps).toEqual(['intend', 'send POST', 'settle entry-1 rejected']);
  });

  test('with --no-journal leaves no trace, and the user is told', async () => {
    const { connection, steps } = logged({ options: { recordsMoney: false } });
    const reply = await connection.call(...CALLS.money);
    expect(reply.entry).toBeUndefined();
    expect(steps).toEqual(['send POST']);
  });

  test.each([{}, { environment: 'live' }] as const)(
    'is sent once, in whatever way its answer is lost (%o)',
    async (profile) => {
      const { connection, sent } = logged({
        profile: { name: 'shop', ...profile },
        options: { confirmedProfile: 'shop' },
        body: 'no envelope',
      });
      const failure = await failureOf(() => connection.call(...CALLS.money));
      expect(failure).toMatchObject({ code: 'outcome-unknown', entry: 'entry-1' });
      expect(sent).toHaveLength(1);
    },
  );
});

const balance = { paid: 2500, refunded: 0, uncertain: 0 };
const ENTRY = { id: 'entry-0', state: 'done', createdAt: '2026-03-10T09:30:00.000Z' } as never;

describe('nothing is sent, and nothing recorded,', () => {
  test.each<[string, Setting, string]>([
    ['when the profile only reads', { profile: { readOnly: true } }, 'profile-read-only'],
    ['when the amount is above a limit', { profile: { maxAmount: 1 } }, 'amount-above-limit'],
    [
      'when the command is not allowed',
      { profile: { allowedCommands: [] } },
      'command-not-allowed',
    ],
    ['when nobody can confirm', { profile: { environment: 'live' } }, 'nobody-to-confirm'],
    [
      'when another profile is confirmed',
      { profile: { environment: 'live' }, options: { confirmedProfile: 'other' } },
      'other-profile-confirmed',
    ],
  ])('nothing is sent %s', async (_, setting, code) => {
    const { connection, steps } = logged(setting);
    expect((await failureOf(() => connection.call(...CALLS.money))).code).toBe(code);
    expect(steps).toEqual([]);
  });

  test('if the person types another name', async () => {
    const { connection, steps } = logged({
      profile: { environment: 'live' },
      options: { mayAsk: true },
      typed: 'yes',
    });
    expect((await failureOf(() => connection.call(...CALLS.money))).code).toBe('not-confirmed');
    expect(steps).toEqual(['confirm']);
  });

  test('if the body is invalid', async () => {
    const { connection, steps } = logged();
    const failure = await failureOf(() => connection.call(purchaseCreate, { body: { amount: 0 } }));
    expect(failure).toMatchObject({ kind: 'usage', code: 'body-invalid' });
    expect(steps).toEqual([]);
  });

  test.each<[string, Exclude<IntentVerdict, { kind: 'recorded' }>]>([
    ['duplicate-request', { kind: 'duplicate', of: ENTRY }],
    ['refund-too-large', { kind: 'over-refund', balance }],
    ['line-held', { kind: 'held', by: ENTRY }],
  ])('if the ledger refuses it: %s', async (code, intended) => {
    const { connection, sent } = logged({ ledger: { intend: async () => intended } });
    const failure = await failureOf(() => connection.call(...CALLS.money));
    expect(failure).toMatchObject({ kind: 'guard', code, exitCode: 10 });
    expect(failure.sent).toBe(false);
    expect(sent).toEqual([]);
  });

  test('if the intent cannot be recorded', async () => {
    const lost = new Error('disk I/O error');
    const { connection, sent } = logged({ ledger: { intend: () => Promise.reject(lost) } });
    await expect(connection.call(...CALLS.money)).rejects.toBe(lost);
    expect(sent).toEqual([]);
  });
});

test('gw reports an outcome even if it cannot record it', async () => {
  const ledger = { settle: () => Promise.reject(new Error('disk I/O error')) };
  const approved = await logged({ ledger }).connection.call(...CALLS.money);
  expect(approved).toMatchObject({ outcome: 'approved', records: [{ id: '071-P-1' }] });
  expect(approved.unrecorded).toMatchObject({ kind: 'guard', code: 'outcome-not-recorded' });
  expect(approved.unrecorded?.message).toContain('disk I/O error');

  const { connection } = logged({ ledger, body: REFUSAL });
  const refused = await failureOf(() => connection.call(...CALLS.money));
  expect(refused).toMatchObject({ kind: 'rejected', exitCode: 6 });
  expect(refused.next).toContain('The journal does not have the outcome: ');
  expect(refused.next).toContain('disk I/O error');
});

test.each([
  ['read', 'GET'],
  ['write', 'POST'],
  ['destroy', 'DELETE'],
] as const)('a %s is not recorded', async (effect, method) => {
  const { connection, steps } = logged({ body: ANSWERS[effect] });
  await connection.call(...CALLS[effect]);
  expect(steps).toEqual([`send ${method}`]);
});

test('a dry run asks every guard of a call, needs no credentials and sends nothing', async () => {
  const { connection, steps } = logged({ options: { isDryRun: true } });
  const { request } = await connection.clearance(purchaseGet, { id: '071-P-1' });
  expect(request).toMatchObject({ method: 'GET', headers: { authorization: 'Basic' } });
  await expect(connection.clearance(purchaseCreate, { body: {} })).rejects.toMatchObject({
    code: 'body-invalid',
  });
  expect(steps).toEqual([]);
});
