import { describe, expect, test } from 'vitest';
import { ownView } from '../../../src/view/columns.ts';
import { FieldCheck } from '../../../src/view/field-check.ts';
import { parseFields } from '../../../src/view/picked-fields.ts';
import { VIEWS } from '../../../src/view/records/gateway-records.ts';
import { approved } from '../../helpers/capture.ts';

const { purchase, customer } = VIEWS;
const OWN = ownView<never>({ name: 'day', plural: 'days', columns: [], record: () => ({}) });

const check = (fields: string, isSending = false, view = purchase) =>
  new FieldCheck(parseFields(fields), view, isSending);

describe('before anything is sent', () => {
  test.each([
    ['amont', 'Did you mean amount?'],
    ['card-token', 'Did you mean card_token?'],
    ['Card Number', 'Did you mean card_number?'],
    ['frist_name', 'Did you mean first_name?'],
  ])('%s is refused, since it is nearly a field', (name, hint) => {
    expect(() => check(`id,${name}`)).toThrow(`Purchases have no field ${JSON.stringify(name)}.`);
    try {
      check(`id,${name}`);
    } catch (error) {
      const { next, sent } = error as { next: string; sent: boolean };
      expect(sent).toBe(false);
      expect(next).toContain(hint);
      expect(next).toContain('The fields are id, authorization, card_number,');
      expect(next).toContain(`If your gateway sends such a field, write ${name}?.`);
    }
  });

  test('what changes something is not sent with any unknown field', () => {
    expect(() => check('id,risk', true)).toThrow('Purchases have no field "risk".');
    expect(() => check('id,email', true)).toThrow('Purchases have no field "email".');
    expect(() => check('id,amount,risk?', true)).not.toThrow();
  });

  test('the currency of a refund may be picked, though the interface has none', () => {
    expect(() => check('currency', true, VIEWS.refund)).not.toThrow();
  });

  test('an object may be picked as a whole', () => {
    expect(() => check('address', true, customer)).not.toThrow();
    expect(() => check('address.city', true, customer)).not.toThrow();
  });
});

describe('of records that were looked up', () => {
  const seen = (fields: string, record: object) => {
    const one = check(fields);
    one.see({ ...approved, ...record }, purchase);
    one.end();
  };

  test('a field that the gateway adds can be picked', () => {
    expect(() => seen('id,risk.score', { risk: { score: 7 } })).not.toThrow();
    expect(() => seen('id,risk', { risk: null })).not.toThrow();
  });

  test('a name that none of them has is an error at the end', () => {
    expect(() => seen('id,risk', {})).toThrow('Purchases have no field "risk".');
    expect(() => seen('id,risk?', {})).not.toThrow();
  });

  test('a field of the kind that was found is one', () => {
    const one = check('id,email');
    one.see({ id: '1-C-1' }, customer);
    expect(() => one.end()).not.toThrow();
  });
});

test("gw's own records tell their fields by the first one", () => {
  const one = check('day,evnts', false, OWN);
  expect(() => one.see({ day: '2026-01-01', events: 3 }, OWN)).toThrow(
    'Days have no field "evnts".',
  );
});
