/** `--field` and `--query`: name=value. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { applyPairs, splitPair } from '../../../../src/cli/flags/pairs.ts';
import { failureOf } from '../../../helpers/failure.ts';

const bodyOf = (...pairs: string[]): JsonObject => {
  const body: JsonObject = {};
  applyPairs(body, pairs);
  return body;
};

test.each<[string, Json]>([
  ['a=', ''],
  ['a=b', 'b'],
  ['a=b=c', 'b=c'],
  ['a=true', true],
  ['a=false', false],
  ['a=null', null],
  ['a=25', 25],
  ['a=-25', -25],
  ['a=0', 0],
  ['a="25"', '25'],
  ['a="true"', 'true'],
  ['a="line\\nbreak"', 'line\nbreak'],
  ['a="', '"'],
  ['a="not json\\x"', '"not json\\x"'],
  ['a=007', '007'],
  ['a=25.00', '25.00'],
  ['a=1e3', '1e3'],
  ['a=9007199254740993', '9007199254740993'],
  ['a=True', 'True'],
  ['a={"b":1}', '{"b":1}'],
])('the pair %s has the value %j', (pair, value) => {
  expect(bodyOf(pair)).toEqual({ a: value });
});

test('names with dots make nested objects', () => {
  expect(bodyOf('card.cvv="123"', 'card.card_holder=Ada', 'x=1')).toEqual({
    card: { cvv: '123', card_holder: 'Ada' },
    x: 1,
  });
});

test.each([
  [['amount=1', 'amount=2'], '--field amount was given more than once.'],
  [['a.b=1', 'x=2', 'a.b=1'], '--field a.b was given more than once.'],
  [['card=tok', 'card.cvv=1'], '--field card and --field card.cvv cannot be used together.'],
  [['a.b.c=1', 'a=2'], '--field a.b.c and --field a cannot be used together.'],
])('two values for one field are refused: %j', async (pairs, message) => {
  const failure = await failureOf(() => bodyOf(...pairs));
  expect(failure).toMatchObject({ kind: 'usage', code: 'field-twice', message });
});

test('names that begin alike are not the same', () => {
  expect(bodyOf('a=1', 'ab=2', 'ab-c.d=3')).toEqual({ a: 1, ab: 2, 'ab-c': { d: 3 } });
});

test.each(['', 'a', '=', '=1'])('%j is not a pair', async (pair) => {
  const failure = await failureOf(() => splitPair('field', pair));
  expect(failure).toMatchObject({ kind: 'usage', message: '--field takes name=value.' });
});

test('any text can be sent under any name', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !/[=.]|^__proto__$/.test(text));
  fc.assert(
    fc.property(name, fc.string({ unit: 'grapheme' }), (field, value) => {
      const body = bodyOf(`${field}=${JSON.stringify(value)}`);
      expect(Object.entries(body)).toEqual([[field, value]]);
    }),
    { examples: [['constructor', 'x']] },
  );
});

test('a field is sent under the name that every object has already', () => {
  expect(Object.entries(bodyOf('__proto__=x'))).toEqual([['__proto__', 'x']]);
});

test('no name changes the prototype of objects', () => {
  try {
    applyPairs({}, ['__proto__.polluted=1', 'constructor.prototype.polluted=1']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  } finally {
    Reflect.deleteProperty(Object.prototype, 'polluted');
  }
});
