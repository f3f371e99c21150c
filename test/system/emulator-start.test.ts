/** `gw emulator start` with a dialect or a clock, as a program of its own. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, run, start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

let home: string;
beforeEach(() => {
  home = temporaryDirectory();
});

const env = () => ({ PATH: process.env.PATH, HOME: home, GW_PROFILE: 'local' });
const gw = (...args: string[]): Promise<Ended> =>
  run(process.execPath, [PROGRAM, ...args], { env: env() });

/** Starts a server at a free port, and waits until it says that it is ready. */
async function serve(...args: string[]) {
  const words = [PROGRAM, 'emulator', 'start', '--port', '0', ...args];
  const server = start(process.execPath, words, { env: env(), input: '' });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  // Its address is on stdout, and all else on stderr.
  await server.printed(/^http\S+\n[\s\S]*Ctrl-C/);
  return {
    said: server.output(),
    url: /^http\S+/.exec(server.output())?.[0] ?? '',
    async end() {
      server.child.kill('SIGTERM');
      expect((await server.ended).code).toBe(0);
    },
  };
}

/** Starts a server and ends it when it is ready. @returns what it said */
async function served(...args: string[]): Promise<string> {
  const { said, end } = await serve(...args);
  await end();
  return said;
}

async function status(fields: string): Promise<string> {
  return (await gw('emulator', 'status', '--fields', fields)).stdout.trim();
}

test('the line to try works where GW_PROFILE names another profile', async () => {
  const { said, end } = await serve();
  const [, line = ''] = /^Try: ((?:.*\\\n)?.*)$/m.exec(said) ?? [];
  const program = `"${process.execPath}" "${PROGRAM}"`;
  const tried = line.replace(/ gw /, ` ${program} `);
  const { code, stderr } = await run('sh', ['-c', tried], {
    env: { ...env(), GW_PROFILE: 'shop' },
  });
  expect(code, stderr).toBe(0);
  await end();
});

describe('--dialect', () => {
  test('sets the dialect of a new state, which is otherwise deployed', async () => {
    expect(await served()).toContain('It uses the deployed dialect');
    expect(await status('dialect')).toBe('deployed');
    expect(await served('--fresh', '--dialect', 'strict')).toContain('the strict dialect');
    expect(await status('dialect')).toBe('strict');
  });

  test('changes the dialect of an existing state and keeps its records', async () => {
    await gw('emulator', 'reset', '--dialect', 'strict');
    await gw(
      'plan',
      'create',
      '--name',
      'A',
      '--reference',
      'A',
      '--description',
      'A',
      '--amount',
      '1',
    );
    expect(await served()).toContain('the strict dialect');
    expect(await served('--dialect', 'deployed')).toContain('the deployed dialect');
    expect(await status('dialect,records.TEST.plan')).toBe('deployed\t1');
  });

  test('changes the dialect of a running server', async () => {
    const running = await serve();
    await served('--dialect', 'strict');
    const answer = await fetch(`${running.url}/v1.0/plans.json`);
    expect(answer.headers.get('x-gw-dialect')).toBe('strict');
    await running.end();
  });

  test('changes nothing if the server cannot start', async () => {
    const running = await serve();
    const port = new URL(running.url).port;
    const { code } = await gw('emulator', 'start', '--port', port, '--dialect', 'strict');
    expect(code).toBe(2);
    expect(await status('dialect')).toBe('deployed');
    await running.end();
  });
});

describe('--fresh', () => {
  const purchases = () => status('records.TEST.purchase');
  const pay = () => gw('purchase', 'create', '--test-card', 'approved', '--amount', '1');

  test('deletes nothing if the server cannot start', async () => {
    await pay();
    const { url, end } = await serve();
    for (const address of [
      ['--port', new URL(url).port],
      ['--host', '0.0.0.0'],
    ]) {
      const { code } = await gw('emulator', 'start', '--fresh', ...address);
      expect(code).toBe(2);
      expect(await purchases()).toBe('1');
    }
    await end();
    await served('--fresh');
    expect(await purchases()).toBe('0');
  });

  test('says where a file went that cannot be read', async () => {
    writeFileSync(path.join(home, 'notes.db'), 'precious');
    const said = await served('--fresh', '--db', path.join(home, 'notes.db'));
    expect(said).toContain('could not be read and is now');
    expect(said).toContain('notes.db.old');
  });
});

describe('--clock', () => {
  test('sets the clock and the first billing day of a new state', async () => {
    expect(await served('--clock', '2012-06-01')).toContain('Its clock is at 2012-06-01T00:0');
    expect(await status('next_day_to_bill')).toBe('2012-06-01');
  });

  test('moves the clock of an existing state to a later day only', async () => {
    await gw('emulator', 'reset', '--clock', '2012-06-01T12:00:00Z');
    expect(await served('--clock', '2012-06-01')).toContain('Its clock is at 2012-06-01T12:0');
    expect(await served('--clock', '2012-06-04')).toContain('Its clock is at 2012-06-04T00:0');
    expect(await status('next_day_to_bill')).toBe('2012-06-04');
  });

  test('does not go back, and says what to do', async () => {
    await gw('emulator', 'reset', '--clock', '2012-06-04');
    const ended = await gw('emulator', 'start', '--clock', '2012-06-03', '--dialect', 'strict');
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('cannot go back to 2012-06-03T00:00:00.000Z');
    expect(ended.stderr).toContain('--fresh');
    expect(await status('dialect,next_day_to_bill')).toBe('deployed\t2012-06-04');
    expect(await served('--fresh', '--clock', '2012-06-03')).toContain('2012-06-03T00:0');
  });

  test('replaces the time of a seed, and runs', async () => {
    await served('--seed', 'docs/three-months.json', '--clock', '2012-06-01');
    expect(await status('next_day_to_bill')).toBe('2012-06-01');
    expect(await status('clock')).toMatch(/^runs, [\d,]+ days/);
  });
});
