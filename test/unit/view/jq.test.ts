import { describe, expect, test } from 'vitest';
import { checkJq, filterJq } from '../../../src/view/jq.ts';

async function filtered(expression: string, value: unknown): Promise<string> {
  let text = '';
  await filterJq(expression, JSON.stringify(value), async (part) => {
    text += part;
  });
  return text;
}

describe('an expression is read before anything is sent', () => {
  test.each(['.a[', '.id |', 'foo', '', '-h', 'include "x"; .'])(
    '%j is none',
    async (expression) => {
      await expect(checkJq(expression)).rejects.toMatchObject({
        kind: 'usage',
        code: 'jq-invalid',
      });
    },
  );

  test.each(['.', '-.amount', 'error', 'input', '.[] | try error("x") catch .'])(
    '%j is one, and is not evaluated',
    async (expression) => {
      await expect(checkJq(expression)).resolves.toBeUndefined();
    },
  );
});

describe('results', () => {
  test('a line each, texts without quotes', async () => {
    const expression = '.id, .amount, ., empty, null, "", .list[]';
    expect(await filtered(expression, { id: '007', amount: 5, list: [1, 'b'] })).toBe(
      '007\n5\n{"id":"007","amount":5,"list":[1,"b"]}\nnull\n\n1\nb\n',
    );
  });

  test('tabs and line ends of a text stay, and nothing that a terminal obeys', async () => {
    expect(await filtered('[.a, .b] | @tsv, join("\\n")', { a: 'x\u001b[31m', b: '\u202ey' })).toBe(
      'x\\u001b[31m\t\\u202ey\nx\\u001b[31m\n\\u202ey\n',
    );
    expect(await filtered('.', { a: '\u001b\u009b\u202e' })).toBe(
      '{"a":"\\u001b\\u009b\\u202e"}\n',
    );
  });

  test('what came before a failure is printed', async () => {
    let text = '';
    const failed = filterJq('.[] | . + 1', '[1, "a", 2]', async (part) => {
      text += part;
    });
    await expect(failed).rejects.toMatchObject({ kind: 'incomplete', code: 'jq-failed' });
    expect(text).toBe('2\n');
  });

  test('nothing of this machine is seen', async () => {
    expect(await filtered('env.HOME, $ENV.USER', null)).not.toContain(process.env.HOME);
    await expect(checkJq('import "/etc/hostname" as $x; .')).rejects.toThrow();
  });

  test('ten thousand records take no square of it', async () => {
    const records = Array.from({ length: 10_000 }, (_, i) => ({ id: `1-P-${i}` }));
    expect((await filtered('.[].id', records)).split('\n')).toHaveLength(10_001);
  });
});
