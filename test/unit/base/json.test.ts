/** Walks over JSON values: every field and text is met once, at any depth. */
import { expect, test } from 'vitest';
import { eachField, type Json, withTexts } from '../../../src/base/json.ts';

const VALUE = JSON.parse(
  '{"a":"x","list":[{"b":"y"},["z",{"c":null}]],"__proto__":{"d":"w"},"n":1}',
);

/** Far deeper than the stack allows. */
function nested(innermost: Json): Json {
  let value = innermost;
  for (let i = 0; i < 100_000; i++) value = i % 2 === 0 ? [value] : { inner: value };
  return value;
}

test('the fields of all objects are visited, outer ones first', () => {
  const names: string[] = [];
  eachField(VALUE, (name, value, object) => {
    expect(Object.hasOwn(object, name) && object[name]).toBe(value);
    names.push(name);
  });
  expect(names).toEqual(['a', 'list', '__proto__', 'n', 'd', 'b', 'c']);
});

test('a text is changed wherever it stands, and the value itself stays', () => {
  const before = JSON.stringify(VALUE);
  const changed = withTexts(VALUE, (text) => `${text}!`);
  expect(JSON.stringify(changed)).toBe(before.replaceAll(/"([w-z])"/g, '"$1!"'));
  expect(JSON.stringify(VALUE)).toBe(before);
  expect(withTexts('x', () => null)).toBeNull();
  expect(withTexts(VALUE, (text) => text)).toBe(VALUE);
});

test('the fields of each copy can be chosen', () => {
  const some = withTexts(
    VALUE,
    (text) => text,
    ({ a: _, ...rest }) => rest,
  );
  expect(some).toEqual(JSON.parse(JSON.stringify(VALUE).replace('"a":"x",', '')));
});

test('no depth exhausts the stack', () => {
  const deep = nested({ last: 'x' });
  let last: Json = null;
  eachField(deep, (name, value) => {
    if (name === 'last') last = value;
  });
  expect(last).toBe('x');
  eachField(
    withTexts(deep, () => 'y'),
    (name, value) => {
      if (name === 'last') last = value;
    },
  );
  expect(last).toBe('y');
});
