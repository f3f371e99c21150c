import { beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import type { Jq } from '../../../../src/host/host.ts';
import { checkJq, filterJq } from '../../../../src/view/formats/jq.ts';
import { Capture } from '../../../helpers/capture.ts';
import { testJq } from '../../../helpers/jq.ts';

const ENDLESS = 'def f: f; f';

let jq: Jq;
beforeAll(async () => {
  jq = await testJq();
});

const { signal: never } = new AbortController();

function filter(expression: string, interrupted = never, stderr = new Capture()) {
  return { expression, jq, interrupted, stderr };
}

async function filtered(expression: string, value: unknown): Promise<string> {
  let text = '';
  await filterJq(filter(expression), [JSON.stringify(value)], async (part) => {
    text += part;
  });
  return text;
}

const check = (expression: string, env = {}, stderr = new Capture()) =>
  checkJq({ jq, interrupted: never, env, stderr }, expression);

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

describe('the environment', () => {
  test.each([
    'env',
    'env.REF',
    '.[] | select(.reference == env.REF) | .id',
    'select(.amount > (env.MAX | tonumber))',
    '$ENV',
    '$ENV.REF',
    '$ENV["REF"]',
    '{$ENV}',
    '{env: env}',
    '{(env.REF): 1}',
    '"\\(env.REF)"',
    '"a \\("b \\($ENV.REF)")"',
    '@uri "\\(env.REF)"',
    'def f: env; f',
    'def f(g): g; f(env)',
    'try env catch .',
    'env?',
    '.a as $x | $ENV[$x]',
    'reduce env[] as $x (0; . + 1)',
    'env as {HOME: $h} | $h',
    '# a comment\nenv',
  ])('%j is refused before anything is sent', async (expression) => {
    await expect(check(expression)).rejects.toMatchObject({
      kind: 'usage',
      code: 'jq-environment',
      sent: false,
    });
  });

  test.each([
    ['.env', '1'],
    ['{env: 2}', '{"env":2}'],
    ['{env}', '{"env":1}'],
    ['{"env": .env}.env', '1'],
    ['."env"', '1'],
    ['.["env"]', '1'],
    ['.a.env?', ''],
    ['"env"', 'env'],
    ['"$ENV"', '$ENV'],
    ['"env \\(.env)"', 'env 1'],
    ['.env # env, $ENV', '1'],
    ['.env as $env | $env', '1'],
    ['.env as $ENV | $ENV', '1'],
    ['. as {$env} | $env', '1'],
    ['. as {env: $x} | $x', '1'],
    ['def env: 3; env', '3'],
    ['def f(env): env; f(4)', '4'],
    ['.environment', '2'],
    ['.ENV', '3'],
    ['.environment as $ENVIRONMENT | $ENVIRONMENT', '2'],
    ['getpath(["env"])', '1'],
    ['$__loc__.line', '1'],
    ['$ARGS.named', '{}'],
  ])('%j uses none', async (expression, result) => {
    await expect(check(expression)).resolves.toBeUndefined();
    const record = { env: 1, environment: 2, ENV: 3, a: {} };
    const expected = result === '' ? 'null' : result;
    expect(await filtered(expression, record)).toBe(`${expected}\n`);
  });
});

describe('dates', () => {
  const noon = 1774355400;
  test.each([
    // Those of the gateway, and of gw itself.
    ['"2026-03-24T23:30:00+11:00"[:19] + "Z" | fromdate', 1774395000],
    ['"2026-03-24T12:30:00.532Z" | sub("\\\\.\\\\d+"; "") | fromdate', noon],
    ['"2026-03-24T12:30:00Z" | fromdate', noon],
    ['"2026-03-24" | strptime("%Y-%m-%d") | mktime', 1774310400],
    ['"24/03/26 12:30" | strptime("%d/%m/%y %H:%M") | mktime', noon],
    ['"Tue, 24 Mar 2026 12:30:00" | strptime("%a, %d %b %Y %T") | mktime', noon],
    ['"100% 2026-03-24" | strptime("100%% %F") | mktime', 1774310400],
    ['"%I 2026-03-24" | strptime("%%I %F") | mktime', 1774310400],
    [`${noon} | strftime("%Y-%m-%d %H:%M %Z")`, '2026-03-24 12:30 UTC'],
    [`${noon} | strftime("%%Z %d/%m/%y %I:%M %p %j")`, '%Z 24/03/26 12:30 PM 083'],
    [`${noon} | strftime("%A %B %e %z")`, 'Tuesday March 24 +0000'],
    [
      `${noon} | strftime("%-d %_d %0e %Ey %Od %5Y %u %U %V %G %g %W %w %C %h %R %s%%")`,
      '24 24 24 26 24 02026 2 12 13 2026 26 12 2 20 Mar 12:30 1774355400%',
    ],
    [`${noon} | strftime("100%")`, '100%'],
    [`${noon} | gmtime | mktime`, noon],
    [`${noon} | todate`, '2026-03-24T12:30:00Z'],
    [`${noon} | localtime | strflocaltime("%Y") `, '2026'],
    [`"%I:%M %p" as $f | ${noon} | strftime($f)`, '12:30 PM'],
  ])('%s is %j, as in jq elsewhere', async (expression, result) => {
    expect(await filtered(expression, null)).toBe(`${result}\n`);
  });

  test.each([
    ['"12:30 PM" | strptime("%I:%M %p")', 'strptime of --jq does not take %I'],
    ['"12:30:00 PM" | strptime("%r")', 'strptime of --jq does not take %r'],
    ['"2026 083" | strptime("%Y %j")', 'strptime of --jq does not take %j'],
    ['"2026 12 2" | strptime("%Y %U %w")', 'strptime of --jq does not take %U'],
    ['"2026 12 2" | strptime("%Y %W %u")', 'strptime of --jq does not take %W'],
    ['"2026 12" | strptime("%G %V")', 'strptime of --jq does not take %G'],
    ['"PM" | strptime("%p")', 'strptime of --jq does not take %p'],
    ['"12:00 UTC" | strptime("%H:%M %Z")', 'strptime of --jq does not take %Z'],
    ['"1774355400" | strptime("%s")', 'strptime of --jq does not take %s'],
    ['"12" | strptime("%%%I")', 'strptime of --jq does not take %I'],
    ['"083" as $d | "%" + "j" as $f | $d | strptime($f)', 'strptime of --jq does not take %j'],
    [
      '"2026-03-24T12:30:00+1100" | strptime("%FT%T%z") | mktime',
      'strptime of --jq does not take %z',
    ],
    [`${noon} | strftime("%Q")`, 'strftime of --jq does not take %Q'],
    [`${noon} | strftime("%Y %EQ")`, 'strftime of --jq does not take %EQ'],
    [`${noon} | strftime("%-k")`, 'strftime of --jq does not take %-k'],
    [`${noon} | strftime("%N")`, 'strftime of --jq does not take %N'],
    [`${noon} | strftime("%f %é")`, 'strftime of --jq does not take %f'],
    [`${noon} | strflocaltime("%L")`, 'strflocaltime of --jq does not take %L'],
    [`${noon} | strftime("%k")`, 'strftime of --jq does not take %k'],
    [`${noon} | strftime("%P")`, 'strftime of --jq does not take %P'],
    [`${noon} | strflocaltime("%H %Z")`, 'strflocaltime of --jq does not take %Z'],
    [`${noon} | strflocaltime("%H %z")`, 'strflocaltime of --jq does not take %z'],
  ])('%s is refused by name', async (expression, message) => {
    await expect(filtered(expression, null)).rejects.toMatchObject({
      code: 'jq-failed',
      message: `The expression of --jq failed: ${message}.`,
    });
  });
});

test('an expression with local times says if this machine has no zone', async () => {
  const said = async (expression: string, TZ: string) => {
    const stderr = new Capture();
    await check(expression, { TZ }, stderr);
    return stderr.text;
  };
  const note = /^TZ is "AEST-10", which is not the name of a time zone, so days are counted in UTC/;
  expect(await said('now | strflocaltime("%H")', 'AEST-10')).toMatch(note);
  expect(await said('now | localtime', 'AEST-10')).toMatch(note);
  expect(await said('now | localtime', 'Australia/Sydney')).toBe('');
  expect(await said('now | todate', 'AEST-10')).toBe('');
});

describe('what an expression writes to stderr', () => {
  const heard = async (expression: string) => {
    const stderr = new Capture();
    let stdout = '';
    const ended = filterJq(filter(expression, never, stderr), ['{"a":1}'], async (part) => {
      stdout += part;
    });
    const failure = await ended.catch((error: Failure) => error.message);
    return { stdout, stderr: stderr.text, failure };
  };

  test.each([
    ['debug | .a', '["DEBUG:",{"a":1}]\n', '1\n'],
    ['debug("one", "two") | .a', '["DEBUG:","one"]\n["DEBUG:","two"]\n', '1\n'],
    ['("x" | stderr), .a', 'x\n', 'x\n1\n'],
    ['"bye" | halt_error(0)', 'bye\n', ''],
  ])('%s prints it there', async (expression, stderr, stdout) => {
    expect(await heard(expression)).toEqual({ stdout, stderr, failure: undefined });
  });

  test.each([
    ['debug | error("no")', '["DEBUG:",{"a":1}]\n', 'no'],
    ['"x" | stderr | error("no")', 'x\n', 'no'],
    ['debug | "bye\\n" | halt_error', '["DEBUG:",{"a":1}]\n', 'bye'],
    ['"bye" | halt_error', '', 'bye'],
  ])('%s prints it apart from the failure', async (expression, stderr, reason) => {
    const failure = `The expression of --jq failed: ${reason}.`;
    expect(await heard(expression)).toEqual({ stdout: '', stderr, failure });
  });
});

test('an expression that takes a list for a record is told how to begin', async () => {
  await expect(filtered('.id', [{ id: 1 }])).rejects.toMatchObject({
    next: 'The JSON is an array. Begin the expression with `.[] |`, or add -o jsonl to filter one record at a time.',
  });
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
    const reason = new Failure('interrupted', 'Interrupted.', '');
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
