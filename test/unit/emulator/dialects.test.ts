/** Both dialects give the same answer to requests that strict accepts: random requests at every endpoint. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject } from '../../../src/base/json.ts';
import { TEST_CARDS } from '../../../src/contract/cards/test-cards.ts';
import { FAULTS } from '../../../src/contract/faults.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import type { RecordKind } from '../../../src/contract/record.ts';
import type {
  RequestBody,
  RequestField,
  RequestGroup,
  RequestType,
} from '../../../src/contract/request.ts';
import { FREQUENCIES } from '../../../src/contract/resources/subscription.ts';
import { type Bench, CARD, openBench } from './support.ts';

/** Fields that only the deployed dialect answers. */
const DEPLOYED_ONLY: Readonly<Partial<Record<RecordKind, readonly string[]>>> = {
  purchase: [
    ...['response_code', 'captured', 'captured_amount', 'transaction_id', 'card_type'],
    ...['card_category', 'card_subcategory', 'rrn', 'cvv_match', 'metadata', 'addendum_data'],
  ],
  customer: ['card_number', 'bank_account', 'metadata'],
  refund: [
    ...['reference', 'transaction_id', 'currency', 'settlement_date'],
    ...['standalone', 'rrn', 'metadata'],
  ],
};

type Values = readonly [right: fc.Arbitrary<unknown>, forgiven: fc.Arbitrary<unknown>];

const words = (...all: unknown[]) => fc.constantFrom(...all);
/** Cards of which an answer arrives. */
const NUMBERS = Object.values(TEST_CARDS)
  .filter(({ behaviour }) => !(behaviour in FAULTS))
  .map(({ card_number }) => card_number);
const spaced = (number: string) => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

/** The forms of the text, and those that are forgiven. */
const VALUES: Readonly<Record<RequestType, Values>> = {
  text: [words('a', 'b', 'c', 'é', '12', ' x', 'a/b', 'a?b'), words(1, 12, 0, 1.5)],
  'card holder': [words('Ann Example', '李'), words(7)],
  'positive integer': [fc.integer({ min: 1, max: 99_999 }), words('100', '10.00', '7.', 10.5)],
  flag: [fc.boolean(), words('true', 'FALSE', 0, 1, '1')],
  date: [
    words('2026-03-10', '2026-04-01', '2028-02-29'),
    words('2027-01-01T00:00:00+10:00', '2027/1/1', '2027-01-01 00:00:00'),
  ],
  currency: [words('AUD', 'USD', 'JPY'), words('aud', 'Usd')],
  'IP address': [words('127.0.0.1', '::1'), words('unknown')],
  'card number': [
    words(...NUMBERS),
    words(...NUMBERS.map(Number), ...NUMBERS.map(spaced), NUMBERS[0]!.replace('5123', '5123-')),
  ],
  'card expiry': [words('05/2031', '03/2026'), words('5/2031', '05/31', '5-31', '2031-05-31')],
  cvv: [words('123', '1234'), words(123, 1234)],
};

/** Ids and references of the records that there are, and of one that there is not. */
type Keys = Readonly<Record<string, readonly string[]>>;

/** Values of fields that name another record. */
const naming = (keys: Keys): Readonly<Record<string, fc.Arbitrary<unknown>>> => ({
  transaction_id: words(...keys.purchase!),
  card_token: words(...keys.card!),
  customer: words(...keys.customer!),
  plan: words(...keys.plan!),
  frequency: words(...FREQUENCIES, 'weekly', 'BiAnnually'),
  // One may look like the id of another record.
  reference: words('a', 'b', 'c', 'é', '12', 'a/b', ...Object.values(keys).flat()),
});

const BLANKS = words(null, '', ' ', [], {}, 'no', -1, false);

function fieldOf(
  name: string,
  field: RequestField | RequestGroup,
  keys: Keys,
): fc.Arbitrary<unknown> {
  const [right, forgiven] =
    'fields' in field ? [bodyOf(field, keys), words([], null)] : VALUES[field.type];
  return fc.oneof(
    { weight: 100, arbitrary: naming(keys)[name] ?? right },
    { weight: 1, arbitrary: forgiven },
    { weight: 1, arbitrary: BLANKS },
  );
}

/** A body with a few fields of its row left out, or some that the row does not have. */
function bodyOf(
  { fields, isPartial }: Pick<RequestBody, 'fields' | 'isPartial'>,
  keys: Keys,
): fc.Arbitrary<Record<string, unknown>> {
  const parts = Object.entries(fields).map(([name, field]) => {
    const value = fieldOf(name, field, keys).map((given) => ({ [name]: given }));
    const leftOut = (field.isOptional ?? isPartial) ? 10 : 1;
    return fc.oneof(
      { weight: 20, arbitrary: value },
      { weight: leftOut, arbitrary: fc.constant({}) },
    );
  });
  const more = fc.oneof(
    { weight: 20, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: words({ test: true }, { metadata: {} }) },
  );
  return fc
    .tuple(fc.boolean(), more, ...parts)
    .map(([byToken, ...given]) => onePayer(Object.assign({}, ...given), byToken));
}

/** A purchase is paid by a token or by a card; a body with both is refused anyway. */
function onePayer(body: Record<string, unknown>, byToken: boolean): Record<string, unknown> {
  if (!('card_token' in body)) return body;
  const { card_token, ...card } = body;
  if (!byToken) return card;
  const { card_number: _, card_holder: __, card_expiry: ___, ...rest } = body;
  return { ...rest, card_token };
}

interface Sent {
  name: string;
  kind: RecordKind;
  method: string;
  path: string;
  body: unknown;
}

function requestOf(row: Operation, keys: Keys): fc.Arbitrary<Sent> {
  const key = words(...keys[row.kind]!.map(encodeURIComponent)) as fc.Arbitrary<string>;
  const ending = words('', '', '.json', '?null', '?limit=1', '.json?test=true');
  const body = row.body
    ? bodyOf(row.body, keys)
    : fc.oneof({ weight: 10, arbitrary: fc.constant(undefined) }, words([], {}, 'x', null));
  return fc.tuple(key, ending, body).map(([key, ending, body]) => ({
    name: row.name,
    kind: row.kind,
    method: row.method,
    path: row.path.replace('.json', '').replace(/\{\w+\}/, key) + ending,
    body,
  }));
}

/** One record of each kind, which both dialects make alike. */
async function makeRecords(bench: Bench): Promise<Keys> {
  const make = async (path: string, body: object) =>
    (await bench.send('POST', `/v1.0/${path}`, body)).body.response;
  const { card_expiry: expiry_date, ...rest } = CARD;
  const { token } = await make('credit_cards', CARD);
  const purchase = await make('purchases', { ...CARD, amount: 90_000, reference: 'p' });
  const back = { transaction_id: purchase.id, amount: 1, reference: 'r' };
  const refund = await make('refunds', back);
  const plan = await make('plans', { name: 'A', reference: 'pl', description: 'B', amount: 5 });
  // All of a plan that is not in use may change.
  const free = await make('plans', { name: 'C', reference: 'f', description: 'D', amount: 7 });
  const customer = await make('customers', {
    ...{ first_name: 'A', last_name: 'B', reference: 'c', email: 'a@example.com' },
    card: { ...rest, expiry_date },
  });
  const subscription = await make('subscriptions', {
    ...{ customer: customer.id, plan: plan.id, frequency: 'Daily', reference: 's' },
  });
  return {
    card: [token, token, token, 'nobody'],
    purchase: [purchase.id, purchase.id, purchase.id, 'p', 'nobody'],
    refund: [refund.id, refund.id, 'r', 'nobody'],
    plan: [plan.id, free.id, free.id, 'pl', 'nobody'],
    customer: [customer.id, customer.id, customer.id, customer.id, 'c', 'nobody'],
    subscription: [subscription.id, 's', 'nobody'],
  };
}

/** A gateway of each dialect with the same records. */
async function openBoth() {
  const strict = await openBench();
  const deployed = await openBench();
  strict.store.write((tx) => tx.setDialect('strict'));
  const keys = await makeRecords(strict);
  expect(await makeRecords(deployed)).toEqual(keys);
  const close = async () => {
    await strict.close();
    await deployed.close();
  };
  return { strict, deployed, keys, close };
}

/** @returns the answer without what only the deployed dialect says */
function common(kind: RecordKind, body: { response: unknown }): unknown {
  const { [kind]: only } = DEPLOYED_ONLY;
  if (!only) return body;
  const entries = Object.entries(body.response as object).filter(([name]) => !only.includes(name));
  return { ...body, response: Object.fromEntries(entries) };
}

/** Whether a purchase has a reference that another one has: there the dialects differ. */
function repeatsReference({ name, body }: Sent, references: Set<unknown>): boolean {
  const reference = name === 'purchase create' && isObject(body) ? body.reference : undefined;
  const isRepeated = references.has(reference);
  if (reference !== undefined) references.add(reference);
  return isRepeated;
}

/** Whether a purchase or a card has card details without a CVV, which only the strict dialect takes. */
function lacksCvv({ name, body }: Sent): boolean {
  const wantsCvv = name === 'purchase create' || name === 'tokenize';
  return wantsCvv && isObject(body) && 'card_number' in body && !('cvv' in body);
}

test('the deployed dialect gives the same answers to requests that the strict dialect accepts', async () => {
  // A new store gives the same ids each time.
  const { keys, ...first } = await openBoth();
  await first.close();
  const request = fc.oneof(...OPERATIONS.map((row) => requestOf(row, keys)));
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 10, maxLength: 30, size: 'max' }),
      async (requests) => {
        const { strict, deployed, close } = await openBoth();
        const references = new Set<unknown>(['p']);
        for (const sent of requests) {
          if (lacksCvv(sent) || repeatsReference(sent, references)) continue;
          const { name, kind, method, path, body } = sent;
          const taken = await strict.send(method, path, body);
          if (taken.status >= 300) continue;
          const { status, body: answer } = await deployed.send(method, path, body);
          expect({ status, body: common(kind, answer) }).toEqual({
            status: taken.status,
            body: taken.body,
          });
          seen.add(name);
        }
        await close();
      },
    ),
  );
  expect([...seen].sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
});
