import { describe, expect, test } from 'vitest';
import { whyNever } from '../../../src/contract/declines.ts';
import { responseCodeOf } from '../../../src/contract/normal.ts';

describe('a declined card', () => {
  test.each(['04', '07', '14', '15', '34', '35', '36', '37', '41', '43', '46', 'R0', 'R1', 'R3'])(
    'can never pay after %s',
    (code) => expect(whyNever(responseCodeOf(code))).toMatch(/^(the|no) /),
  );

  test.each([7, '7', ' 07 ', 43, 'r1'])('can never pay after %j, as others write it', (code) =>
    expect(whyNever(responseCodeOf(code))).toBeDefined(),
  );

  const MAY =
    '00 01 02 05 12 33 51 54 57 61 62 65 75 90 91 96 99 toString constructor 4343434343434343';
  test.each([...MAY.split(' '), '', null, undefined, {}, 4.3])('may pay later after %j', (code) =>
    expect(whyNever(responseCodeOf(code))).toBeUndefined(),
  );
});
