import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isTheirs,
  isUnsure,
  mentionsIn,
  namesThem,
  type Person,
  withoutPerson,
} from '../../../../src/desk/forget/person.ts';

const ada: Person = {
  customers: new Set(['071-C-ADAADA01', 'CUST-1']),
  tokens: new Set(['tok_ada']),
  emails: new Set(['ada@example.com']),
  names: new Set(['ada byron']),
  things: new Set(),
  hasNamesakes: false,
};
const oneOfTwo: Person = { ...ada, hasNamesakes: true };

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

describe('whom something mentions', () => {
  test('whom a customer mentions is itself, by all its names', () => {
    expect(mentionsIn(customer)).toEqual({
      customers: new Set(['071-C-ADAADA01', 'CUST-1']),
      tokens: new Set(['tok_ada']),
      emails: new Set(['ada@example.com']),
      names: new Set(['ada byron']),
    });
  });

  test('whom a purchase mentions is no customer, also where it has an email', () => {
    expect(mentionsIn({ ...purchase, email: 'a@b.example' }).customers).toEqual(new Set());
  });

  test('whom a delivery mentions is found at any depth', () => {
    const delivery = { payload: [{ subscription: { customer: 'CUST-9' }, customer }] };
    expect([...mentionsIn(delivery).customers].sort()).toEqual(
      ['071-C-ADAADA01', 'CUST-1', 'CUST-9'].sort(),
    );
  });
});

describe('whose something is', () => {
  test.each([
    [{ customer: 'CUST-1' }, true],
    [{ customer: '071-C-ADAADA01', email: 'else@example.com' }, true],
    [{ card_token: 'tok_ada' }, true],
    [{ email: 'ADA@example.com' }, true],
    [{ card_holder: 'ADA BYRON' }, true],
    [{ customer: 'CUST-2', card_holder: 'Ada Byron' }, false],
    [{ card_holder: 'Ada Lovelace' }, false],
    [{}, false],
  ])('whose %j is', (value, theirs) => {
    expect(isTheirs(ada, mentionsIn(value))).toBe(theirs);
  });

  test('whose something is that bears only a name of two people is not known', () => {
    const mentions = mentionsIn({ card_holder: 'Ada Byron' });
    expect([isTheirs(oneOfTwo, mentions), isUnsure(oneOfTwo, mentions)]).toEqual([false, true]);
    expect(isUnsure(ada, mentions)).toBe(false);
    expect(isTheirs(oneOfTwo, mentionsIn(purchase))).toBe(false);
    expect(isTheirs(oneOfTwo, mentionsIn({ ...purchase, card_token: 'tok_ada' }))).toBe(true);
  });
});

describe('what is blanked', () => {
  test('what is blanked of a purchase says who paid, and leaves what', () => {
    expect(withoutPerson(purchase, ada, true)).toEqual({ ...purchase, card_holder: null });
  });

  test('what is blanked of a customer is all but ids and tokens', () => {
    expect(withoutPerson(customer, ada, true)).toEqual({
      id: '071-C-ADAADA01',
      reference: null,
      first_name: null,
      last_name: null,
      email: null,
      card_token: 'tok_ada',
      address: { city: null, country: null },
    });
  });

  test('what is blanked of what is about others too is what names them', () => {
    const mixed = { first_name: 'Zoe', note: 'for Ada  Byron', to: 'ada@example.com', n: 1 };
    expect(withoutPerson(mixed, ada, false)).toEqual({ ...mixed, note: null, to: null });
    expect(withoutPerson(mixed, oneOfTwo, false)).toEqual({ ...mixed, to: null });
  });

  test('nothing is blanked of what is not about them', () => {
    const others = fc.json().filter((text) => !/ada|cust-1/i.test(text));
    fc.assert(
      fc.property(others, (text) => {
        expect(withoutPerson(JSON.parse(text), ada, false)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['CUST-1', true],
    ['CUST-11', false],
    ['071-C-ADAADA01', false],
    ['charge of ÁDA BYRON', true],
    ['ada', false],
  ])('%s names them', (text, names) => {
    expect(namesThem(text, ada)).toBe(names);
  });
});
