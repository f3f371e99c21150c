import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Json, writtenNumber } from '../../../../src/base/json.ts';
import { toYaml } from '../../../../src/view/formats/yaml.ts';
import { anyText, DANGEROUS } from '../../../helpers/arbitraries.ts';

const AMBIGUOUS = [
  ...['007', '0o7', '0x1f', '1_000', '1e5', '.5', '+1', '-', '~', 'null', 'Null', 'no', 'Y', 'On'],
  ...[
    'true',
    '2026-03-31',
    '2026-03-31T10:00:00Z',
    '12:30',
    '190:20:30',
    '.inf',
    '.NaN',
    '<<',
    '=',
  ],
  ...[
    '',
    ' x',
    'x ',
    'a: b',
    'a #b',
    '- a',
    '[a',
    '{a',
    '"a',
    "'a",
    '&a',
    '*a',
    '!a',
    '|',
    '>',
    '%a',
  ],
  ...[
    '@a',
    '`a',
    '---',
    '...',
    'a:',
    'x\ny',
    'x\u0085y',
    '\u001b[31m',
    '\u202e',
    '\ud800',
    '\u0000',
  ],
];

const anyJson = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    anyText,
    fc.constantFrom(...AMBIGUOUS),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(anyText, fc.constantFrom(...AMBIGUOUS)), tie('json'), { maxKeys: 4 }),
  ),
})).json;

const same = (value: unknown) => JSON.stringify(value);

test.each(['1.1', '1.2'] as const)('a reader of YAML %s gets the JSON back', (version) => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const read = parse(toYaml(value), { version, merge: false });
      expect(same(read)).toBe(same(value));
    }),
  );
});

test.each(AMBIGUOUS)('%j stays a text, as a value and as a name', (text) => {
  for (const version of ['1.1', '1.2'] as const)
    expect(parse(toYaml({ [text]: text }), { version, merge: false })).toEqual({ [text]: text });
});

test('no control character is printed', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(toYaml(value).replaceAll('\n', '')).not.toMatch(DANGEROUS);
    }),
  );
});

test('texts have no quotes if they need none', () => {
  const record = { id: '071-P-1', name: 'Zoë K', email: 'a@b.example', amount: 2500, big: 1e21 };
  expect(toYaml([record])).toBe(`\
- id: "071-P-1"
  name: Zoë K
  email: a@b.example
  amount: 2500
  big: 1.0e+21
`);
});

test.each(['25.00', '12345678901234567890', '1.0e400', '-0.50'])(
  'a written number stays a number of the digits %s',
  (digits) => {
    expect(toYaml({ fee: writtenNumber(digits), list: [writtenNumber(digits)] })).toBe(
      `fee: ${digits}\nlist:\n  - ${digits}\n`,
    );
    expect(toYaml({ fee: writtenNumber('1e400') })).toBe('fee: 1.0e400\n');
  },
);
