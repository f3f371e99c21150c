/** Data that the ledger gets, and data that it must not get. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { MAX_KEPT_TEXT } from '../../../../src/client/connection/entry.ts';
import type { Reply } from '../../../../src/client/exchange/classify.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import { customerUpdate } from '../../../../src/contract/resources/customer.ts';
import { planCreate, planUpdate } from '../../../../src/contract/resources/plan.ts';
import { purchaseCreate } from '../../../../src/contract/resources/purchase.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { subscriptionUpdate } from '../../../../src/contract/resources/subscription.ts';
import { Failure } from '../../../../src/failure.ts';
import type { FailureKind } from '../../../../src/failure-codes.ts';
import { HIDDEN } from '../../../../src/host/redaction/redact.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import type { EntryState, LedgerEntry } from '../../../../src/journal/ledger.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { cardLike } from '../../../helpers/card-like.ts';
import { standingClock } from '../../../helpers/client.ts';
import { testConnection } from '../../../helpers/connection.ts';
import { valuesIn } from '../../../helpers/secrets.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const clock = standingClock();
const newFile = () => path.join(temporaryDirectory(), 'state', 'ledger.db');

const done = { state: 'done', status: 200, recordId: '071-P-1', message: 'Approved' } as const;

describe('the ledger', () => {
  const destination = {
    profile: 'live',
    environment: 'live',
    host: 'gateway.example',
  };
  const NUMBER = '4111111111111111';

  async function record(
    operation: Operation,
    body: JsonObject,
    result: Reply | Failure,
    redactor = new Redactor(),
  ): Promise<{ entry: LedgerEntry; bytes: string; values: string }> {
    const file = newFile();
    const ledger = await openSqliteLedger(file, clock);
    const { ledger: access } = testConnection({
      host: { clock },
      profile: { name: 'live', environment: 'live' },
      parts: { openLedger: async () => ledger },
      redactor,
    });
    const kept = await access.keptOf(operation, { body });
    const intended = kept && (await access.intend({ request: kept }, operation));
    if (intended?.kind !== 'recorded') throw new Error('the ledger refused it');
    await access.settle(intended.id, { body }, result);
    const bytes = readdirSync(path.dirname(file))
      .map((name) => readFileSync(path.join(path.dirname(file), name), 'latin1'))
      .join('');
    const values = valuesIn(file);
    const [entry] = await ledger.list({ limit: 1 });
    await ledger.close();
    return { entry: entry!, bytes, values };
  }

  const failure = (kind: FailureKind, message = 'It failed.') =>
    new Failure('file-unusable', message, '', { kind, status: 400 });
  const reply = (operation: Operation, outcome: Reply['outcome'], record: JsonObject): Reply => ({
    operation,
    input: {},
    status: 200,
    envelope: { successful: true, response: record, errors: [], test: true, counts: {} },
    records: [record],
    outcome,
    isEmbedded: false,
    raw: '',
  });
  const approved = reply(purchaseCreate, 'approved', { id: '071-P-1', message: 'Approved' });

  test('records the amount, the target and the outcome', async () => {
    const body = { amount: 2500, currency: 'AUD', reference: 'INV-1', card_token: 'tok_1' };
    const { entry } = await record(purchaseCreate, body, approved);
    expect(entry).toMatchObject({
      ...destination,
      operation: 'purchase create',
      target: 'tok_1',
      amount: 2500,
      currency: 'AUD',
      reference: 'INV-1',
      body,
      ...done,
    });
  });

  test.each([
    [refundCreate, { transaction_id: '071-P-1', amount: 1 }, '071-P-1'],
    [purchaseCreate, { card_token: 'tok', card_number: NUMBER }, 'tok'],
    [purchaseCreate, { card_number: NUMBER }, '411111XXXXXX1111'],
    [purchaseCreate, {}, null],
  ])('takes the target of $name from %j', async (operation, body, target) => {
    const { entry } = await record(operation, body, approved);
    expect(entry.target).toBe(target);
  });

  test.each<[FailureKind, EntryState]>([
    ['auth', 'rejected'],
    ['notFound', 'rejected'],
    ['rejected', 'rejected'],
    ['notReached', 'not-sent'],
    ['interrupted', 'not-sent'],
    ['unknown', 'unknown'],
    ['guard', 'unknown'],
  ])('records the failure %s as %s', async (kind, state) => {
    const { entry } = await record(purchaseCreate, {}, failure(kind));
    expect(entry).toMatchObject({ state, status: 400, message: 'It failed.' });
  });

  const raw: Operation = { ...planCreate, name: 'api POST /x', kind: 'purchase', effect: 'money' };
  test.each<[string, Operation, Reply['outcome'], JsonObject, EntryState]>([
    ['an approval', purchaseCreate, 'approved', { successful: true }, 'done'],
    ['a decline', purchaseCreate, 'declined', { successful: false }, 'declined'],
    ['an answer that does not say', purchaseCreate, 'unclear', { id: 'x' }, 'unknown'],
    ['an answer to a request that is no row', raw, undefined, { id: 'x' }, 'done'],
    ['a decline of a request that is no row', raw, undefined, { successful: false }, 'declined'],
  ])('records %s with its state', async (_, operation, outcome, answered, state) => {
    const { entry } = await record(operation, {}, reply(operation, outcome, answered));
    expect(entry.state).toBe(state);
  });

  test('has no card number and no CVV in any byte of its files', async () => {
    const card = { card_number: NUMBER, cvv: '987', card_holder: 'Ada', card_expiry: '05/2031' };
    const bodies: JsonObject[] = [
      { ...card, amount: 2500, reference: 'INV-1' },
      { customer: { card: { ...card, number: Number(NUMBER), cvc: 987 } } },
      { card_token: NUMBER },
      { my_own_field: [`card ${NUMBER} of mine`, Number(NUMBER)] },
    ];
    for (const body of bodies) {
      const { entry, bytes, values } = await record(
        purchaseCreate,
        body,
        failure('rejected', `Card ${NUMBER} could not be found.`),
      );
      expect(bytes).not.toContain(NUMBER);
      expect(bytes).not.toMatch(/"cv[cv]"/);
      expect(values).not.toContain('987');
      expect(entry.message).toBe('Card 411111XXXXXX1111 could not be found.');
    }
  });

  test('hides the secrets of the run everywhere', async () => {
    const redactor = new Redactor();
    redactor.addSecret('s3cret');
    const body = { reference: 'INV s3cret', list: ['s3cret'] };
    const page = failure('unknown', 'It echoed s3cret.');
    const { entry, bytes } = await record(purchaseCreate, body, page, redactor);
    expect(bytes).not.toContain('s3cret');
    expect(entry).toMatchObject({ reference: `INV ${HIDDEN}`, message: `It echoed ${HIDDEN}.` });
  });

  test('hides them in the record of an answer before it cuts the record', async () => {
    const redactor = new Redactor();
    redactor.addSecret('s3cret');
    const long = `${'z'.repeat(MAX_KEPT_TEXT - 3)}s3cret`;
    const made = { id: '071-P-1', successful: true, message: 'Approved for s3cret', note: long };
    const echoed = reply(purchaseCreate, 'approved', made);
    const { entry, bytes } = await record(purchaseCreate, { amount: 1 }, echoed, redactor);
    expect(entry.message).toBe(`Approved for ${HIDDEN}`);
    expect(bytes).toContain(`Approved for ${HIDDEN}`);
    expect(bytes).not.toContain('s3cret');
    expect(bytes).not.toContain('zs3c');
  });

  test("stores no card number under any name, and no token but a card's", async () => {
    const body = {
      note: NUMBER,
      amount: Number(NUMBER),
      access_token: 'a1',
      card_token: 'b2',
    };
    const { entry } = await record(purchaseCreate, body, approved);
    const masked = `${NUMBER.slice(0, 6)}XXXXXX${NUMBER.slice(-4)}`;
    expect(entry.amount).toBeNull();
    expect(entry.body).toEqual({ note: masked, amount: masked, card_token: 'b2' });
  });

  test('stores a reference that looks like a card number as it was sent', async () => {
    const { entry } = await record(purchaseCreate, { reference: cardLike(3) }, approved);
    expect(entry).toMatchObject({ reference: cardLike(3), body: { reference: cardLike(3) } });
  });

  test.each([1e300, 2.5, 2 ** 60, '25.00', null, [1]])(
    "stays readable if a user's body has the amount %j",
    async (amount) => {
      const { entry } = await record(purchaseCreate, { amount }, approved);
      expect(entry).toMatchObject({ amount: null, body: { amount } });
    },
  );

  const NEW_CARD = {
    card_number: NUMBER,
    card_holder: 'Ada B',
    expiry_date: '05/2032',
    cvv: '123',
  };
  const WHOLE = { id: 'C-1', first_name: 'Ada', email: 'ada@example.org', card_token: 'tok' };
  const KNOWN: JsonObject = { ...WHOLE, card_number: '512345XXXXXX2346', address: { city: 'Ayr' } };

  test.each<[string, Operation, JsonObject, JsonObject, object]>([
    [
      'whole',
      customerUpdate,
      { email: 'new@x.org' },
      { ...WHOLE, email: 'new@x.org' },
      { email: 'new@x.org', first_name: 'Ada' },
    ],
    [
      'its id',
      customerUpdate,
      { email: 'new@x.org' },
      { id: 'C-1' },
      { email: 'new@x.org', first_name: 'Ada', card_token: 'tok', address: { city: 'Ayr' } },
    ],
    [
      'no id',
      customerUpdate,
      { first_name: 'Eve' },
      { email: 'ada@example.org' },
      { id: 'C-1', first_name: 'Eve' },
    ],
    [
      'null',
      customerUpdate,
      { email: 'new@x.org' },
      { ...WHOLE, email: null },
      { email: 'new@x.org' },
    ],
    [
      'another spelling',
      customerUpdate,
      { email: 'NEW@x.org' },
      { ...WHOLE, email: 'new@x.org' },
      { email: 'new@x.org' },
    ],
    [
      'a part, for a new card',
      customerUpdate,
      { card: NEW_CARD },
      { id: 'C-1' },
      { email: 'ada@example.org' },
    ],
    [
      'a new token',
      customerUpdate,
      { card: NEW_CARD },
      { id: 'C-1', card_token: 'new' },
      { card_token: 'new' },
    ],
    [
      'a part, for a stop',
      subscriptionUpdate,
      { is_active: false },
      { next_billing_date: '2026-04-01' },
      { id: 'C-1', is_active: false, next_billing_date: '2026-04-01', first_name: 'Ada' },
    ],
    ['a part, for a name', planUpdate, { name: 'Gold' }, { id: 'C-1' }, { name: 'Gold' }],
  ])(
    'knows what a change did if its answer is %s',
    async (_, operation, body, answer, expected) => {
      const ledger = await openSqliteLedger(newFile(), clock);
      const parts = { openLedger: async () => ledger };
      const profile = { name: 'live', environment: 'live' } as const;
      const { ledger: access } = testConnection({
        ...{ host: { clock }, profile, parts },
      });
      await access.open();
      const at = await access.destination();
      const seen = { kind: operation.kind, id: 'C-1', reference: null, name: null, amount: null };
      const before = {
        ...at,
        ...seen,
        lastFour: '2346',
        seenBy: 'x get',
        seenAt: new Date(0).toISOString(),
        record: KNOWN,
      };
      await ledger.remember([before]);
      const changed = { ...reply(operation, undefined, answer), answeredAt: Date.UTC(2026, 3, 2) };
      await access.see({ id: 'C-1', body }, changed);
      const [now] = await ledger.remembered({ kind: operation.kind }, 2);
      const { record, lastFour, deeds } = now!;
      expect({ ...record, deeds }).toMatchObject(expected);
      if (body.card !== NEW_CARD) return;
      const card = {
        card_number: '411111XXXXXX1111',
        card_holder: 'Ada B',
        card_expiry: '05/2032',
      };
      const token = answer.card_token ? { card_token: 'new' } : {};
      const sent = { since: '2026-04-02T00:00:00.000Z', record: { ...card, ...token } };
      expect(deeds).toMatchObject([
        { what: 'changed', fields: ['card'], card: sent, replaced: '2346' },
        { what: 'renewed', formerToken: KNOWN.card_token },
      ]);
      expect([record.card_token, record.card_number]).toEqual([answer.card_token, undefined]);
      expect(lastFour).toBe('1111');
      expect(JSON.stringify(now)).not.toContain('cvv');
    },
  );

  test.each([-2500, '2500'])('counts an amount that is sent as %j', async (amount) => {
    const { entry } = await record(purchaseCreate, { amount }, approved);
    expect(entry).toMatchObject({ amount: 2500, body: { amount } });
  });
});
