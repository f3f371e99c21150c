/**
 * The code cache: V8 runs what is in it without a look, so nothing but what gw wrote for these sources may get there.
 * A small program stands in place of gw's, loaded by gw's own `dist/main.cjs`.
 */
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { OWN_CACHE, run } from '../helpers/run.ts';
import { filesBelow } from '../helpers/secrets.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const SAYS = 'The total is 42 of 100.\n';

/** Calls functions of two files, which are compiled when they are called. */
const START = `const { sum } = require('./chunks/sum.cjs');
exports.start = (argv) => {
  const say = (total) => 'The total is ' + total + ' of 100.\\n';
  process.stdout.write(say(sum(argv.filter((word) => /^\\d+$/.test(word)).map(Number))));
  process.exit(argv.includes('fail') ? 2 : 0);
};
`;
const SUM = `exports.sum = (numbers) => {
  const add = (a, b) => a + b;
  return numbers.reduce(add, 0);
};
`;

test('the second start takes the code of the first, from a private file', async () => {
  const program = makeProgram();
  await program.expectTotal();
  const [file = ''] = program.cached();
  expect(path.basename(file)).toBe(`add-up-${process.version}-${process.arch}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  const written = statSync(file);
  await program.expectTotal();
  // It would be written again if V8 had not accepted the code.
  expect(statSync(file)).toMatchObject({ ino: written.ino, mtimeMs: written.mtimeMs });
});

test('a changed file runs as it is now, even with the same length', async () => {
  const program = makeProgram();
  await program.expectTotal();
  writeFileSync(program.chunk, SUM.replace('a + b', 'a * b').replace(', 0)', ', 1)'));
  expect(await program.run('add', 'up', '6', '7')).toMatchObject({
    code: 0,
    stdout: SAYS,
    stderr: '',
  });
  await program.expectTotal('2', '21');
});

test('one wrong byte anywhere: the right result, and a new file', async () => {
  const program = makeProgram();
  await program.expectTotal();
  const [file = ''] = program.cached();
  const good = readFileSync(file);
  const places = Array.from({ length: 80 }, (_, i) => Math.floor((i * good.length) / 80));
  for (const [i, place] of places.entries()) {
    const bad = Buffer.from(good);
    bad[place] = (bad[place] ?? 0) ^ (1 << (i % 8));
    writeFileSync(file, bad);
    await program.expectTotal();
    expect(readFileSync(file).equals(bad), `byte ${place}`).toBe(false);
  }
});

test.each([
  ['nothing', () => Buffer.alloc(0)],
  ['one byte', () => Buffer.alloc(1)],
  ['zeros', (good: Buffer) => Buffer.alloc(good.length)],
  ['a half', (good: Buffer) => good.subarray(0, good.length / 2)],
  ['all but one byte', (good: Buffer) => good.subarray(1)],
  ['the end cut', (good: Buffer) => sealed(good.subarray(CHECKSUM, -100))],
  ['another source named', (good: Buffer) => replaced(good, `,${crc32(SUM)},`, ',9,')],
  ['another version', (good: Buffer) => replaced(good, process.version, 'v00.00.0')],
  ['another V8', (good: Buffer) => replaced(good, process.versions.v8, '0')],
  ['text', () => Buffer.from('hello hello ')],
])('a cache file with %s: the right result, and a new file', async (_name, made) => {
  const program = makeProgram();
  await program.expectTotal();
  const [file = ''] = program.cached();
  const bad = made(readFileSync(file));
  writeFileSync(file, bad);
  await program.expectTotal();
  expect(readFileSync(file).equals(bad)).toBe(false);
  truncateSync(file, statSync(file).size - 8);
  await program.expectTotal();
});

test('a file or folder that others may change is neither read nor written', async () => {
  const program = makeProgram();
  await program.expectTotal();
  const [file = ''] = program.cached();
  writeFileSync(file, 'left alone');
  for (const exposed of [file, path.dirname(file)]) {
    chmodSync(exposed, 0o777);
    await program.expectTotal();
    chmodSync(exposed, 0o700);
  }
  expect(readFileSync(file, 'utf8')).toBe('left alone');
});

test.runIf(process.getuid?.() === 0)('a file of another user is left alone', async () => {
  const program = makeProgram();
  await program.expectTotal();
  const [file = ''] = program.cached();
  const written = readFileSync(file);
  chownSync(file, 65_534, 65_534);
  writeFileSync(program.chunk, SUM.replace('a + b', 'a - b'));
  await program.expectTotal('0', '-42');
  expect(readFileSync(file).equals(written)).toBe(true);
});

test('the name of the file has the words of the command and no others', async () => {
  const program = makeProgram();
  await program.run('add', 'up', 'smith', '42');
  await program.run('smith', '42');
  await program.run('add', '--note', 'up', '42');
  const names = program.cached().map((file) => path.basename(file).split('-v')[0]);
  expect(names).toEqual(['add-up', 'other']);
});

test('a command that failed, options of Node and a missing home leave no file', async () => {
  const program = makeProgram();
  expect((await program.run('add', 'up', '42', 'fail')).code).toBe(2);
  for (const env of [
    { NODE_DISABLE_COMPILE_CACHE: '1' },
    { NODE_OPTIONS: '--enable-source-maps' },
  ]) {
    const { code, stdout } = await program.runWith(env, 'add', 'up', '42');
    expect({ code, stdout }).toEqual({ code: 0, stdout: SAYS });
  }
  expect(program.cached()).toEqual([]);
  const { stdout } = await program.runWith({ HOME: '/dev/null' }, 'add', 'up', '42');
  expect(stdout).toBe(SAYS);
});

test('starts at the same time all end well', async () => {
  const program = makeProgram();
  await Promise.all(Array.from({ length: 12 }, () => program.expectTotal()));
  await program.expectTotal();
  expect(program.cached()).toHaveLength(1);
});

test('the compiled code of gw holds nothing that was typed or answered', async () => {
  const home = temporaryDirectory();
  const env = { PATH: process.env.PATH, HOME: home, GW_PROFILE: 'local', ...OWN_CACHE };
  const card = { card_number: '4321876543211129', card_holder: 'Ophelia Quist', cvv: '731' };
  const purchase = {
    ...card,
    amount: 2599,
    reference: 'INV-73190',
    card_expiry: '05/2031',
    customer_ip: '192.0.2.77',
  };
  const argv = [PROGRAM, 'purchase', 'create', '--input', '-', '--json'];
  const { code, stdout, stderr } = await run(process.execPath, argv, {
    env,
    input: JSON.stringify(purchase),
  });
  expect(code, stderr).toBe(0);
  const { id = '' } = JSON.parse(stdout);
  const [{ text } = { text: Buffer.of() }, ...others] = filesBelow(path.join(home, '.cache'));
  expect(others).toEqual([]);
  expect(text.includes('sourceMappingURL') || text.includes('exports')).toBe(true);
  const typed = [card.card_number, 'Ophelia', 'INV-73190', '192.0.2.77', id];
  expect(typed.filter((word) => text.includes(word))).toEqual([]);
});

function makeProgram() {
  const root = temporaryDirectory();
  const home = temporaryDirectory();
  const at = (name: string) => path.join(root, name);
  for (const folder of ['dist/chunks', 'dist/flags/add'])
    mkdirSync(at(folder), { recursive: true });
  cpSync('dist/main.cjs', at('dist/main.cjs'));
  writeFileSync(at('dist/start.cjs'), START);
  writeFileSync(at('dist/chunks/sum.cjs'), SUM);
  writeFileSync(at('dist/flags/add/up.json'), '');
  writeFileSync(
    at('gw.cjs'),
    "require('./dist/main.cjs').run(process.argv.slice(2), __dirname, require);\n",
  );
  const runWith = (env: Record<string, string>, ...argv: string[]) =>
    run(process.execPath, [at('gw.cjs'), ...argv], {
      env: { PATH: process.env.PATH ?? '', HOME: home, ...OWN_CACHE, ...env },
    });
  const folder = path.join(home, '.cache/gw/compiled', encodeURIComponent(root));
  return {
    chunk: at('dist/chunks/sum.cjs'),
    run: (...argv: string[]) => runWith({}, ...argv),
    runWith,
    cached: () =>
      existsSync(folder)
        ? readdirSync(folder)
            .sort()
            .map((name) => path.join(folder, name))
        : [],
    async expectTotal(...numbers: string[]) {
      const given = numbers.length > 0 ? numbers : ['40', '2'];
      const result = await runWith({}, 'add', 'up', ...given);
      const wanted = numbers.length > 0 ? expect.stringMatching(/^The total is -?\d+/) : SAYS;
      expect(result).toMatchObject({ code: 0, stdout: wanted, stderr: '' });
    },
  };
}

const CHECKSUM = 4;

/** @returns a cache file with these bytes, whose checksum is right */
function sealed(bytes: Buffer): Buffer {
  const checksum = Buffer.alloc(CHECKSUM);
  checksum.writeUInt32LE(crc32(bytes));
  return Buffer.concat([checksum, bytes]);
}

/** Replaces a text of the header, and pads it to its length. */
function replaced(good: Buffer, text: string, by: string): Buffer {
  const bytes = good.subarray(CHECKSUM).toString('latin1');
  expect(bytes).toContain(text);
  return sealed(Buffer.from(bytes.replace(text, by.padEnd(text.length)), 'latin1'));
}
