import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import {
  glanceFor,
  isTheirs,
  keptFieldsOf,
  markedAs,
  marksIn,
  namesThem,
  type Person,
  personMark,
  withoutEmails,
} from '../../../../src/commands/forget/person.ts';
import { outcomeOf } from '../../../../src/contract/normal.ts';
import { textOfObject } from '../../../../src/store/ledger/object-text.ts';

const ada: Person = {
  marks: new Set([
    ...['071-C-ADAADA01', 'CUST-1'].map((text) => personMark('customer', text)),
    ...[personMark('token', 'tok_ada'), personMark('email', 'ada@example.com'), 'record 071-p-1'],
  ]),
  emails: ['ada@example.com'],
  names: ['ada byron'],
};

const customer = {
  id: '071-C-ADAADA01',
  reference: 'CUST-1',
  first_name: 'Ada',
  last_name: 'Byron',
  email: 'Ada@Example.com',
  card_token: 'tok_ada',
  address: { city: 'London', country: null },
};
const purchase = { id: '071-P-1', card_holder: 'Ada Byron', card_token: 'tok_2', amount: 2500 };

describe('the marks of a person', () => {
  test('come from a customer, except the name', () => {
    expect(marksIn(customer).sort()).toEqual([
      'customer 071-c-adaada01',
      'email ada@example.com',
      'token tok_ada',
    ]);
    expect(marksIn({ ...customer, id: null })).toContain('customer cust-1');
  });

  test('are seen at a glance, however a file or a server writes them', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.stringMatching(/^[ "\\\n\0aÁΣß]+$/),
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (text, isEmail) => {
        const marks = new Set([personMark(isEmail ? 'email' : 'token', text)]);
        const person: Person = {
          marks,
          emails: isEmail ? markedAs('email', marks) : [],
          names: [],
        };
        const record = { id: '071-P-1', amount: 1, [isEmail ? 'email' : 'card_token']: text };
        expect(isTheirs(person, marksIn(record))).toBe(true);
        const row = { id: record.id, reference: null, amount: record.amount, currency: null };
        for (const store of ['sqlite', 'postgres'] as const)
          expect(glanceFor(person)(`071-P-1"${textOfObject(record, store, row)}`)).toBe(true);
      }),
    );
    const others = JSON.stringify({ ...customer, id: 'C', reference: null, email: 'a@b.example' });
    expect(glanceFor(ada)(others)).toBe(true);
    expect(glanceFor(ada)(others.replace('tok_ada', 'tok_ad'))).toBe(false);
    expect(glanceFor(ada)('C"write to ADA@example.com"{}')).toBe(true);
  });

  test('do not make a customer of a purchase, even with an email', () => {
    const marks = marksIn({ ...purchase, email: 'a@b.example' });
    expect(marks.sort()).toEqual(['email a@b.example', 'record 071-p-1', 'token tok_2']);
  });

  test('are found in a delivery at any depth', () => {
    const delivery = { payload: [{ subscription: { customer: 'CUST-9' }, customer }] };
    expect(markedAs('customer', marksIn(delivery)).sort()).toEqual(['071-c-adaada01', 'cust-9']);
  });
});

test.each<[Json, boolean]>([
  [{ customer: 'CUST-1' }, true],
  [{ customer: '071-C-ADAADA01', email: 'else@example.com' }, true],
  [{ card_token: 'tok_ada' }, true],
  [{ card_token: 'ADA', alias: 'tok_ada' }, true],
  [{ email: 'ADA@example.com' }, true],
  [{ id: '071-P-1', amount: 1 }, true],
  [{ transaction_id: '071-P-1' }, true],
  [{ customer: 'CUST-2', card_token: 'tok_ada', email: 'ada@example.com' }, false],
  [{ card_holder: 'Ada Byron' }, false],
  [{ reference: 'CUST-1', amount: 1 }, false],
  [{}, false],
])('%j belongs to a person', (value, theirs) => {
  expect(isTheirs(ada, marksIn(value))).toBe(theirs);
});

describe('what an erasure leaves', () => {
  test('keeps the amount of a purchase and removes the person', () => {
    const seen = { ...purchase, shipped_to: 'Baker Street', message: 'Thanks, ADA BYRON' };
    expect(keptFieldsOf(seen, ada)).toEqual({
      ...purchase,
      ...{ card_holder: null, shipped_to: null, message: null },
    });
  });

  test('keeps the outcome of a purchase or refund', () => {
    const words = fc.constantFrom(
      null,
      '',
      'Approved',
      'Declined',
      'Voided',
      'Not approved',
      '051',
    );
    const flags = fc.constantFrom<Json>(null, true, false, 'true', '1', 0);
    const record = fc.record<JsonObject>(
      {
        ...{ successful: flags, authorized: flags, captured: flags, captured_amount: flags },
        ...{ message: words, refunded: fc.oneof(words, flags), authorization: words },
        ...{ authorization_id: words, response_code: words, card_holder: words },
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(record, (one) => {
        const left = keptFieldsOf(one, ada) as JsonObject;
        for (const kind of ['purchase', 'refund'] as const)
          expect(outcomeOf(kind, left)).toBe(outcomeOf(kind, one));
      }),
      { numRuns: 3_000 },
    );
  });

  test('keeps only the id and token of a customer', () => {
    expect(keptFieldsOf(customer, ada)).toEqual({
      id: '071-C-ADAADA01',
      reference: null,
      first_name: null,
      last_name: null,
      email: null,
      card_token: 'tok_ada',
      address: { city: null, country: null },
    });
  });

  test('keeps only the outcome of a delivery, at any depth', () => {
    const envelope = {
      successful: true,
      response: { ...purchase, successful: true },
      errors: ['x'],
    };
    const subscription = { id: '071-S-1', customer: 'CUST-1', last_status: 'Failed (2), Pending' };
    expect(keptFieldsOf({ subscription, response: envelope }, ada)).toEqual({
      subscription: { ...subscription, customer: null },
      response: { ...envelope, response: { ...envelope.response, card_holder: null } },
    });
  });

  test('removes only the email from records that may concern others', () => {
    const mixed = { first_name: 'Zoe', note: 'for Ada Byron', to: ['ADA@example.com'], n: 1 };
    expect(withoutEmails(mixed, ada)).toEqual({ ...mixed, to: [null] });
  });

  test('keeps records of others unchanged', () => {
    const others = fc.json().filter((text) => !/ada@example.com/i.test(text));
    fc.assert(
      fc.property(others, (text) => {
        expect(withoutEmails(JSON.parse(text), ada)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['CUST-1', true, false],
    ['CUST-11', false, false],
    ['071-c-adaada01', false, false],
    ['charge of ÁDA BYRON', true, false],
    ['mail ADA@example.com', true, true],
    ['ada', false, false],
  ])('the field %s names them in their records: %s, in others: %s', (text, inTheirs, elsewhere) => {
    expect([namesThem(text, ada, true), namesThem(text, ada, false)]).toEqual([
      inTheirs,
      elsewhere,
    ]);
  });
});
