import { beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import type { Jq } from '../../../../src/host/host.ts';
import { checkJq, filterJq } from '../../../../src/view/formats/jq.ts';
import { testJq } from '../../../helpers/jq.ts';

const ENDLESS = 'def f: f; f';

let jq: Jq;
beforeAll(async () => {
  jq = await testJq();
});

const { signal: never } = new AbortController();

function filter(expression: string, interrupted = never) {
  return { expression, jq, interrupted };
}

async function filtered(expression: string, value: unknown): Promise<string> {
  let text = '';
  await filterJq(filter(expression), [JSON.stringify(value)], async (part) => {
    text += part;
  });
  return text;
}

const check = (expression: string) => checkJq({ jq, interrupted: never }, expression);

describe('an expression is read before anything is sent', () => {
  test.each(['.a[', '.id |', 'foo', '', '-h', 'include "x"; .'])(
    '%j is refused',
    async (expression) => {
      await expect(check(expression)).rejects.toMatchObject({ kind: 'usage', code: 'jq-invalid' });
    },
  );

  test.each(['.', '-.amount', 'error', 'input', '.[] | try error("x") catch .', ENDLESS])(
    '%j is accepted and not evaluated',
    async (expression) => {
      await expect(check(expression)).resolves.toBeUndefined();
    },
  );
});

describe('results', () => {
  test('are printed on a line each, texts without quotes', async () => {
    const expression = '.id, .amount, ., empty, null, "", .list[]';
    expect(await filtered(expression, { id: '007', amount: 5, list: [1, 'b'] })).toBe(
      '007\n5\n{"id":"007","amount":5,"list":[1,"b"]}\nnull\n\n1\nb\n',
    );
  });

  test('keep tabs and line ends and no other control characters', async () => {
    expect(await filtered('[.a, .b] | @tsv, join("\\n")', { a: 'x\u001b[31m', b: '\u202ey' })).toBe(
      'x\\u001b[31m\t\\u202ey\nx\\u001b[31m\n\\u202ey\n',
    );
    expect(await filtered('.', { a: '\u001b\u009b\u202e' })).toBe(
      '{"a":"\\u001b\\u009b\\u202e"}\n',
    );
  });

  test('are printed up to a failure', async () => {
    let text = '';
    const failed = filterJq(filter('.[] | . + 1'), ['[1, "a"', ', 2]'], async (part) => {
      text += part;
    });
    await expect(failed).rejects.toMatchObject({ kind: 'incomplete', code: 'jq-failed' });
    expect(text).toBe('2\n');
  });

  test('have no access to this machine', async () => {
    expect(await filtered('env.HOME, $ENV.USER', null)).not.toContain(process.env.HOME);
    await expect(check('import "/etc/hostname" as $x; .')).rejects.toThrow();
  });

  test('of ten thousand records take linear time', async () => {
    const records = Array.from({ length: 10_000 }, (_, i) => ({ id: `1-P-${i}` }));
    expect((await filtered('.[].id', records)).split('\n')).toHaveLength(10_001);
  });

  test('may be longer than one chunk', async () => {
    const long = 'ä€𝄞'.repeat(300_000);
    expect(await filtered('., .', long)).toBe(`${long}\n${long}\n`);
  });
});

describe('an endless expression', () => {
  test('is ended by an interrupt, with a message, and the next one runs', async () => {
    const interrupt = new AbortController();
    const reason = new Failure('interrupted', 'Interrupted.', { code: 'interrupted', next: '' });
    const endless = filterJq(filter('repeat(1)', interrupt.signal), ['1'], async () => {});
    setImmediate(() => interrupt.abort(reason));
    await expect(endless).rejects.toMatchObject({ kind: 'interrupted', code: 'jq-interrupted' });
    expect(await filtered('.', 1)).toBe('1\n');
  });

  test.each(['[range(1e9)]', 'def f: 1 + f; f'])(
    '%s uses no more than the memory of jq',
    async (expression) => {
      await expect(filtered(expression, 1)).rejects.toMatchObject({
        kind: 'incomplete',
        code: 'jq-failed',
        next: expect.stringContaining('too large'),
      });
      expect(await filtered('.', 1)).toBe('1\n');
    },
    60_000,
  );
});
