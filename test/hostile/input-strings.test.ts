/**
 * Texts of our own making, sent in by each way there is, and read back in each format: the gateway
 * holds what was given, JSON and CSV give it back, and what is for people has nothing in it that a
 * terminal obeys. Numbers that are none are refused in every way, and nothing is sent.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'csv-stringify/sync';
import Papa from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import { neutralise } from '../../src/host/redaction/safe.ts';
import { chargeText, post } from '../helpers/listener.ts';
import { PROGRAM } from '../helpers/program.ts';
import { start } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { HIDDEN_STRINGS, isForArgv, isForFiles, STRINGS } from '../helpers/strings.ts';
import { environmentOf, gw } from './support.ts';

/** Control characters that a terminal obeys, except line ends and tabs. */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/u;

/** A table says once, below it, what is the same in every row. */
const withoutSame = (stderr: string) => stderr.replace(/^In every row: .*\n/, '');

/** Texts as they are given, as gw takes them, and all that a gateway may send. */
const TEXTS = STRINGS.map(([, text]) => text);
const taken = (texts: readonly string[]) => texts.map((text) => text.trim());
const HIDDEN = HIDDEN_STRINGS.map(([, text]) => text);
const ALL = [...TEXTS, ...HIDDEN];
let home: string;
let token: string;

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'gw-test-'));
  token = await tokenOf(home);
  return () => rmSync(home, { recursive: true, force: true });
});

/** @returns of how many lines a batch says such a problem; that of many lines is said once */
function linesWith(problem: RegExp, stderr: string): number {
  const said = stderr.split('\n').filter((text) => /^\S+:\d+: /.test(text) && problem.test(text));
  const named = said.flatMap((text) => {
    const [, first, also = ''] =
      /^\S+:(\d+): .*?(?: \(also in lines? ([\d, ]+).*\))?$/.exec(text) ?? [];
    return [first, ...also.split(',')].map((number) => String(number).trim()).filter(Boolean);
  });
  const more = said.map((text) => Number(/ and ([\d,]+) more\)$/.exec(text)?.[1] ?? 0));
  return new Set(named).size + more.reduce((sum, count) => sum + count, 0);
}

const referenceOf = ({ reference }: { reference: string }) => reference;
const journal = (format: string) =>
  gw(['journal', 'list', '--all-profiles', '--limit', '1000', '-o', format], { home });

/** @returns the token of a card that the gateway of that home has stored */
async function tokenOf(place: string): Promise<string> {
  const made = await gw(['tokenize', '--test-card', 'approved', '-o', 'id'], { home: place });
  return made.stdout.trim();
}

/** @returns the ids of purchases that another program makes at the gateway of that home */
async function idsOfOthers(place: string, bodies: readonly object[]): Promise<string[]> {
  const gateway = start(process.execPath, [PROGRAM, 'emulator', 'start', '--port', '0'], {
    env: environmentOf({ home: place }),
  });
  const address = /(http:\/\/127\.0\.0\.1:\d+);/;
  await gateway.printed(address);
  const base = address.exec(gateway.output())?.[1];
  const made: string[] = [];
  for (const body of bodies) {
    const answer = await fetch(`${base}/v1.0/purchases`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('TEST:TEST').toString('base64')}` },
      body: JSON.stringify(body),
    });
    const { response } = (await answer.json()) as { response: { id: string } };
    made.push(response.id);
  }
  gateway.child.kill();
  await gateway.ended;
  return made;
}

const linesOf = (stdout: string) => stdout.split('\n').slice(0, -1);
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects
const recordsOf = (stdout: string): any[] => linesOf(stdout).map((line) => JSON.parse(line));

const purchasesOf = (texts: readonly string[], card_token = token) =>
  texts.map((reference) => ({ card_token, amount: 100, reference }));
const jsonLines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
/** A CSV is UTF-8. */
const CSV_HIDDEN = HIDDEN.filter(isForFiles);
const csv = (rows: readonly object[], options = {}) =>
  stringify([...rows], { header: true, quoted: true, ...options });

describe('batches', () => {
  const WAYS: [way: string, write: (rows: object[]) => string, hidden: readonly string[]][] = [
    ['JSON lines', jsonLines, HIDDEN],
    ['JSON lines of Windows', (rows) => jsonLines(rows).replaceAll('\n', '\r\n'), HIDDEN],
    ['JSON lines after a byte order mark', (rows) => `\ufeff${jsonLines(rows)}`, HIDDEN],
    ['CSV', csv, CSV_HIDDEN],
    ['CSV of Windows', (rows) => csv(rows, { record_delimiter: '\r\n' }), CSV_HIDDEN],
    ['CSV after a byte order mark', (rows) => csv(rows, { bom: true }), CSV_HIDDEN],
  ];

  test.each(WAYS)('%s from stdin send each text, with its ends trimmed', async (way, write) => {
    // Each way has a home of its own, because a sent line is done for all that share a journal.
    const own = path.join(home, way);
    const input = write(purchasesOf(TEXTS, await tokenOf(own)));
    // Some of them are such as a spreadsheet makes.
    const args = ['purchase', 'batch', '-', '--as-written'];
    const { code, stdout, stderr } = await gw(args, { home: own, input });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(recordsOf(stdout).map(({ record }) => record.reference)).toEqual(taken(TEXTS));
    expect(stdout + stderr).not.toMatch(OBEYED);
  });

  test.each(WAYS)('%s with a text that hides something send nothing', async (_, write, hidden) => {
    const input = write(purchasesOf(hidden));
    const { code, stdout, stderr } = await gw(['purchase', 'batch', '-'], { home, input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const faults = /: reference has .* \(U\+[\dA-F]{4}\) at character \d+/;
    expect(linesWith(faults, stderr)).toBe(hidden.length);
    expect(stderr).not.toMatch(OBEYED);
  });
});

describe('records with those texts', () => {
  let ids: string[];
  beforeAll(async () => {
    const input = jsonLines(purchasesOf(TEXTS));
    const { stdout } = await gw(['purchase', 'batch', '-', '--as-written'], { home, input });
    ids = recordsOf(stdout).map(({ record }) => record.id);
    ids.push(...(await idsOfOthers(home, purchasesOf(HIDDEN))));
  });
  const SHOWN = [...taken(TEXTS), ...HIDDEN];
  const get = async (...flags: string[]) => {
    const { code, stdout, stderr } = await gw(['purchase', 'get', '-', ...flags], {
      home,
      input: ids.join('\n'),
    });
    expect({ code, stderr: withoutSame(stderr) }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  test.each([
    [['-o', 'json'], (text: string) => JSON.parse(text)],
    [['-o', 'json', '--fields', 'reference'], (text: string) => JSON.parse(text)],
    [['-o', 'jsonl'], recordsOf],
    [['--raw'], (text: string) => recordsOf(text).map(({ response }) => response)],
  ])('records as %j have the texts of the gateway', async (flags, read) => {
    const stdout = await get(...flags);
    expect(read(stdout).map(referenceOf)).toEqual(SHOWN);
    expect(stdout).not.toMatch(OBEYED);
  });

  test.each([[['-o', 'csv']], [['-o', 'csv', '--fields', 'id,reference']]])(
    'records as %j have the texts in their cells',
    async (flags) => {
      const stdout = await get(...flags);
      const { data: rows } = Papa.parse<{ id: string; reference: string }>(stdout, {
        header: true,
        skipEmptyLines: true,
      });
      expect(rows.map(({ id }) => id)).toEqual(ids);
      expect(rows.map(referenceOf)).toEqual(SHOWN.map(neutralise));
      expect(stdout).not.toMatch(OBEYED);
    },
  );

  test.each([[[]], [['--fields', 'id,amount,currency,source,reference']]])(
    'records as text (%j) are a line each, with the texts escaped',
    async (flags) => {
      const rows = linesOf(await get(...flags)).map((line) => line.split('\t'));
      expect(rows.map(([id]) => id)).toEqual(ids);
      expect(rows.map((row) => row[4])).toEqual(SHOWN.map(neutralise));
    },
  );

  test('records in a table are a line each', async () => {
    const stdout = await get('-o', 'table');
    expect(stdout).not.toMatch(OBEYED);
    expect(
      linesOf(stdout)
        .slice(1)
        .map((line) => line.split(' ')[0]),
    ).toEqual(ids);
  });

  test('records as ids are ids', async () => {
    expect(linesOf(await get('-o', 'id'))).toEqual(ids);
  });

  test.each([
    ['json', JSON.parse],
    ['jsonl', recordsOf],
  ])('the journal as %s has the texts', async (format, read) => {
    const { code, stdout } = await journal(format);
    expect(code).toBe(0);
    expect(read(stdout).map(referenceOf)).toEqual(expect.arrayContaining(taken(TEXTS)));
    expect(stdout).not.toMatch(OBEYED);
  });

  test.each(['table', 'id', 'csv'])(
    'the journal as %s has no control characters',
    async (format) => {
      const { code, stdout } = await journal(format);
      expect(code).toBe(0);
      expect(stdout).not.toMatch(OBEYED);
    },
  );
});

test('texts as ids on stdin are not found, and come back escaped on a line each', async () => {
  // A line of JSON is a record, dots are a way up a path, and lines end where they end.
  const ids = TEXTS.filter((text) => !/[\r\n{]|^\.+$/.test(text));
  for (const lines of [ids.join('\n'), `\ufeff${ids.join('\r\n')}\r\n`]) {
    const { code, stdout, stderr } = await gw(['purchase', 'get', '-', '-o', 'jsonl'], {
      // Elsewhere some of them are references by now, by which a purchase is found too.
      home: path.join(home, 'nobody'),
      input: lines,
    });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).not.toMatch(OBEYED);
    // One each, and one of all of them.
    expect(recordsOf(stderr)).toHaveLength(ids.length + 1);
  }
});

describe('events with those texts', () => {
  let received: string;
  beforeAll(async () => {
    received = path.join(home, 'events');
    const args = ['listen', '--port', '0', '--count', String(2 * ALL.length)];
    const env = environmentOf({ home: received });
    const listener = start(process.execPath, [PROGRAM, ...args], {
      env: { ...env, GW_PROFILE: '' },
    });
    const address = /this address: (http\S+)\n/;
    await listener.printed(address);
    const url = new URL(address.exec(listener.output())?.[1] ?? '');
    for (const [i, text] of ALL.entries()) {
      const named = { reference: text, subscription: text, name: text };
      expect((await post(url, chargeText(`P-${i}`, named))).status).toBe(200);
      const body = JSON.stringify({ event: text, payload: [{ email: text, [text]: text }] });
      expect((await post(url, body)).status).toBe(200);
    }
    const { code, stdout, stderr } = await listener.ended;
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(OBEYED);
    expect(linesOf(stdout)).toHaveLength(2 * ALL.length);
  });
  const events = async (...flags: string[]) => {
    const { code, stdout, stderr } = await gw(
      ['events', 'list', '--all-profiles', '--limit', '1000', ...flags],
      {
        home: received,
      },
    );
    expect({ code, stderr: withoutSame(stderr) }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const NEWEST_FIRST = [...ALL].reverse();

  test.each([
    ['json', JSON.parse],
    ['jsonl', recordsOf],
  ])('events as %s have the texts', async (format, read) => {
    const stdout = await events('-o', format);
    const found = read(stdout) as { event: string; reference: string | null }[];
    expect(found.map(({ event }) => event).filter((name) => name !== 'charge:successful')).toEqual(
      NEWEST_FIRST,
    );
    expect(found.flatMap(({ reference }) => reference ?? [])).toEqual(NEWEST_FIRST);
    expect(stdout).not.toMatch(OBEYED);
  });

  test.each([[[]], [['-o', 'table']], [['-o', 'id']]])(
    'events as %j are a line each without control characters',
    async (flags) => {
      const stdout = await events(...flags);
      expect(stdout).not.toMatch(OBEYED);
      const header = flags.includes('table') ? 1 : 0;
      expect(linesOf(stdout)).toHaveLength(2 * ALL.length + header);
    },
  );

  test('an event is found and shown by such a text', async () => {
    for (const text of ["O'Neill", '__proto__', '-x']) {
      const [found] = recordsOf(await events('-o', 'jsonl', `--reference=${text}`));
      expect(found.reference).toBe(text);
      const shown = await gw(['events', 'get', found.id, '-o', 'json'], { home: received });
      expect(JSON.parse(shown.stdout).payload[0].subscription.reference).toBe(text);
      expect(shown.stdout).not.toMatch(OBEYED);
    }
  });
});

describe('one body', () => {
  const FIELDS = [
    'first_name',
    'last_name',
    'reference',
    'email',
    'address.address',
    'address.city',
    'address.state',
    'address.postcode',
    'address.country',
  ];
  // A value that is the name of a flag is taken for one whose value was forgotten.
  const FOR_FLAGS = TEXTS.filter((text) => isForArgv(text) && text !== '--dry-run');
  const groups = (texts: readonly string[]) =>
    Array.from({ length: Math.ceil(texts.length / FIELDS.length) }, (_, n) =>
      FIELDS.map((_, i) => texts[(n * FIELDS.length + i) % texts.length] ?? ''),
    );
  const bodyOf = (texts: readonly string[]) => {
    const [first_name, last_name, reference, email, address, city, state, postcode, country] =
      texts;
    return {
      first_name,
      last_name,
      reference,
      email,
      address: { address, city, state, postcode, country },
    };
  };
  const create = async (args: readonly string[], input: string, texts: readonly string[]) => {
    const all = ['customer', 'create', '--test-card', 'approved', '-o', 'json', ...args];
    // A reference is taken once: each way has a home of its own.
    const { code, stdout, stderr } = await gw(all, { input });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject(bodyOf(taken(texts)));
    expect(stdout + stderr).not.toMatch(OBEYED);
  };

  test.each(groups(FOR_FLAGS))('flags send %j, %j and later texts', async (...texts) => {
    const flags = FIELDS.map(
      (name, i) => `--${(name.split('.').at(-1) ?? '').replace('_', '-')}=${texts[i]}`,
    );
    await create(flags, '', texts);
  });

  test.each(groups(TEXTS))('--input sends %j, %j and later texts', async (...texts) => {
    await create(['--input', '-'], JSON.stringify(bodyOf(texts)), texts);
    const file = path.join(home, 'body.json');
    writeFileSync(
      file,
      `\ufeff${JSON.stringify(bodyOf(texts), null, '\t').replaceAll('\n', '\r\n')}`,
    );
    await create(['--input', file], '', texts);
  });

  test('--input sends a text of 400,000 characters unchanged', async () => {
    const texts = FIELDS.map((_, i) => `${i}`);
    texts[5] = 'é"'.repeat(200_000);
    await create(['--input', '-'], JSON.stringify(bodyOf(texts)), texts);
  });

  test.skipIf(!havePrograms('script'))('prompts send the typed text', async () => {
    const typed = ['O\'Neill "x"', '=cmd(),;', '$(id)`id`', '١٢@👨‍👩‍👧'];
    const own = mkdtempSync(path.join(home, 'terminal-'));
    const command = `"${process.execPath}" "${PROGRAM}" customer create --test-card approved -o json`;
    const terminal = start('script', ['-qec', command, '/dev/null'], {
      env: { ...environmentOf({ home: own }), TERM: 'xterm' },
    });
    for (const [i, prompt] of ['First name', 'Last name', 'Reference', 'Email'].entries()) {
      await terminal.printed(new RegExp(`${prompt}:`));
      terminal.child.stdin?.write(`${typed[i]}\r`);
    }
    await terminal.printed(/Send it\?/);
    terminal.child.stdin?.write('y\r');
    expect(await terminal.ended).toMatchObject({ code: 0 });
    const { stdout } = await gw(['customer', 'get', typed[2] ?? '', '-o', 'json'], { home: own });
    const [first_name, last_name, reference, email] = typed;
    expect(JSON.parse(stdout)).toMatchObject({ first_name, last_name, reference, email });
  });
});

describe('invalid numbers', () => {
  const NUMBERS = [
    '',
    ' ',
    '0',
    '-5',
    '+5',
    '5.0',
    '5.',
    '2,50',
    '1_000',
    '1e3',
    '0x10',
    '0b1',
    '٣',
    '１２',
    'NaN',
    'Infinity',
    '9007199254740993',
    '99999999999999999999',
    '5 AUD',
    '$5',
    'null',
    '5\u200b5',
  ];

  test('in a CSV are refused with each line, and nothing is sent', async () => {
    const rows = NUMBERS.map((amount, i) => ({ card_token: token, amount, reference: `N-${i}` }));
    const { code, stdout, stderr } = await gw(['purchase', 'batch', '-'], {
      home,
      input: csv(rows),
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(linesWith(/: .*amount/, stderr)).toBe(NUMBERS.length);
  });

  test('in JSON lines are refused with each line, and nothing is sent', async () => {
    const written = [
      ...NUMBERS.map((text) => JSON.stringify(text)),
      '"5"',
      '5.0',
      '25.00',
      '1e3',
      '-5',
      '0',
      '9007199254740993',
      'null',
      'true',
      '[5]',
      '{"a":5}',
    ];
    const input = written
      .map((amount, i) => `{"card_token":"${token}","amount":${amount},"reference":"M-${i}"}`)
      .join('\n');
    const { code, stdout, stderr } = await gw(['purchase', 'batch', '-'], { home, input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    // A line may have two problems with its amount.
    expect(linesWith(/: .*amount/, stderr)).toBeGreaterThanOrEqual(written.length);
  });

  test.each(['', '-5', '5.0', '1e3', '0x10', '٣', '9007199254740993', '5 AUD'])(
    'in the flag --amount %j are refused, and nothing is sent',
    async (amount) => {
      const flags = ['purchase', 'create', '--card-token', token, `--amount=${amount}`];
      const { code, stdout, stderr } = await gw([...flags, '--reference', 'FLAG'], { home });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).not.toMatch(OBEYED);
    },
  );

  test('are never sent', async () => {
    const { stdout } = await gw(
      ['journal', 'list', '--all-profiles', '--limit', '1000', '-o', 'jsonl'],
      { home },
    );
    const references = recordsOf(stdout).map(({ reference }) => reference);
    expect(references.filter((text) => /^(?:[MN]-\d+|FLAG)$/.test(text))).toEqual([]);
  });
});
