/** The runner of scripts, and the search for secrets, judged by scripts that are wrong. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Door, parseScript, runScript, showScript, updatedScript } from '../helpers/script.ts';
import { filesBelow, findSecrets, secretsIn } from '../helpers/secrets.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

/** @returns what the script says there should be at a door, and what there was */
async function judge(text: string, door: Door = 'none') {
  const script = parseScript(text);
  const outcome = await runScript(script, door, { directory: temporaryDirectory() });
  const updated = updatedScript({ ...script, doors: [door] }, new Map([[door, outcome]]));
  return { expected: showScript(script, door), actual: showScript(script, door, outcome), updated };
}

describe('a script', () => {
  const RIGHT = [
    'Prose stays.',
    '',
    '  $ echo out; echo err >&2; exit 3',
    '  out',
    '  ! err',
    '  ? 3',
    '',
  ].join('\n');

  test('a correct script passes, and an update changes nothing', async () => {
    const { expected, actual, updated } = await judge(RIGHT);
    expect(actual).toBe(expected);
    expect(updated).toBe(RIGHT);
  });

  test.each([
    ['stdout', '  out', '  other'],
    ['a line too many', '  out', '  out\n  more'],
    ['a line too few', '  out\n', ''],
    ['stderr', '  ! err', '  ! other'],
    ['stderr taken for stdout', '  ! err', '  err'],
    ['the exit code', '  ? 3', '  ? 4'],
    ['success where it failed', '  ? 3\n', ''],
    ['failure where it did not', '; exit 3', ''],
  ])('a script with a wrong %s fails, and an update corrects it', async (_, right, wrong) => {
    const wrongScript = RIGHT.replace(right, wrong);
    const { expected, actual, updated } = await judge(wrongScript);
    expect(actual).not.toBe(expected);
    const again = await judge(updated);
    expect(again.actual).toBe(again.expected);
  });

  test('a script shows control characters and marks ambiguous lines', async () => {
    const { updated } = await judge(
      "  $ printf 'tab\\there\\033[1m \\n\\n$ x\\n! y\\n? z\\n\\\\\\n(http) w\\nno end'",
    );
    expect(updated.split('\n').slice(1, -1)).toEqual([
      '  tab␉here␛[1m␠',
      '  \\',
      '  \\$ x',
      '  \\! y',
      '  \\? z',
      '  \\\\',
      '  \\(http) w',
      '  no end',
      '  \\ (no line end)',
    ]);
    const { expected, actual } = await judge(updated);
    expect(actual).toBe(expected);
  });

  test('a script has files, and commands of several lines', async () => {
    const { expected, actual } = await judge(
      '  $ for f in *; do\n  >   cat $f\n  > done\n  one\n  two\n\n-- a --\none\n-- b --\ntwo\n',
    );
    expect(actual).toBe(expected);
  });

  test('a script has wildcards of a kind and keeps their values', async () => {
    const text = [
      '  $ echo 7f7e9b625b7e4d0a9d3c0123456789ab at 2026-01-15T10:00:00.123Z',
      '  {{hex as id}} at {{instant}}',
      '  $ echo $id $HOME $PWD',
      '  {{id}} {{home}} {{work}}',
      '',
    ].join('\n');
    const { expected, actual, updated } = await judge(text);
    expect(actual).toBe(expected);
    expect(updated).toBe(text);
    const wrong = await judge(text.replace('{{hex as id}}', '{{number as id}}'));
    expect(wrong.actual).not.toBe(wrong.expected);
  });

  test('the address of the gateway differs from one whose port begins with the same digits', async () => {
    const text = [
      '  $ echo http://127.0.0.1:4010/v1.0 127.0.0.1:4010 http://127.0.0.1:40105 127.0.0.1:40105',
      '  {{url}}/v1.0 {{host}} http://127.0.0.1:40105 127.0.0.1:40105',
      '',
    ].join('\n');
    const { expected, actual } = await judge(text);
    expect(actual).toBe(expected);
  });

  test('a script marks the lines in which its doors differ', () => {
    const script = parseScript('doors: local, http\n  $ gw x\n-- f --\n');
    const [step] = script.items.filter((item) => typeof item === 'object');
    if (!step) throw new Error('no step');
    const outcomes = (http: string[]) =>
      new Map<Door, Map<typeof step, string[]>>([
        ['local', new Map([[step, ['a', '  b', 'c']]])],
        ['http', new Map([[step, http]])],
      ]);
    const same = updatedScript(script, outcomes(['a', '  b', 'c']));
    expect(same).toBe('doors: local, http\n  $ gw x\n  a\n    b\n  c\n-- f --\n');
    const marked = updatedScript(script, outcomes(['a', '  B', 'c']));
    expect(marked).toContain('\n  a\n  (local)   b\n  (http)   B\n  c\n');
    expect(showScript(parseScript(marked), 'http')).toContain('\n  a\n    B\n  c\n');
    expect(updatedScript(script, outcomes(['a']))).toContain('\n  (local) c\n  (http) a\n');
  });

  test('a script starts from its own seed at either door and can use another account', async () => {
    const text = [
      '  $ gw plan create --name a --reference A --description d --amount 1 -o id',
      '  071-PL-QNBQ1REE',
      '  $ gw-other plan get 071-PL-QNBQ1REE 2>/dev/null',
      '  ? 3',
      '',
    ].join('\n');
    for (const door of ['local', 'http'] as const) {
      const { expected, actual } = await judge(text, door);
      expect(actual).toBe(expected);
    }
  });

  test('a script that exits with 2 after sending a request fails', async () => {
    const { actual } = await judge('  $ gw plan list; exit 2\n  $ exit 2', 'http');
    expect(actual).toBe(
      '  $ gw plan list; exit 2\n  ! This account has no plans. `gw plan create` makes one.\n  ? 2 although requests were sent\n  $ exit 2\n  ? 2\n',
    );
  });
});

describe('the search for secrets', () => {
  const TOKEN = 'tok:en/+=é-0x5ECRET';
  const secrets = secretsIn(
    `{"card_number": "5123456789012346", "api_token": "${TOKEN}"} GW_API_TOKEN=shop-token-1 gw`,
  );
  const found = (text: string) => findSecrets(text, secrets);

  test('the search for secrets finds a card number, even in groups or among other digits', () => {
    for (const text of ['5123456789012346', '5123 4567 8901 2346', 'x-5123-4567-8901-2346-1'])
      expect(found(text)).toEqual(['card number 512345…2346']);
    expect(found('512345XXXXXX2346 5123456789012345')).toEqual([]);
  });

  test('the search for secrets finds a token, even in a URL and in a Basic credential of any user', () => {
    expect(found(`x${TOKEN}x`)).toEqual(['API token tok:…']);
    expect(found(encodeURIComponent(TOKEN))).toEqual(['API token tok:…']);
    for (const user of ['a', 'ab', 'abc']) {
      const credential = Buffer.from(`${user}:${TOKEN}`).toString('base64');
      expect(found(`Basic ${credential}`)).toEqual(['API token tok:…']);
    }
    expect(found('shop-token-1')).toEqual(['API token shop…']);
    expect(found('Basic ***')).toEqual([]);
  });

  test('the search for secrets finds a CVV by its label', () => {
    for (const text of ['"cvv":"739"', '"cvv": 739', 'CVV 7391', '\\"cvv\\":\\"739\\"', 'cvv2=739'])
      expect(found(text)).toEqual(['a CVV']);
    expect(found('"cvv": "***", "amount": 739; cvv must be three or four digits')).toEqual([]);
  });

  test('the search for secrets reads files as bytes', () => {
    const folder = temporaryDirectory();
    mkdirSync(path.join(folder, 'a/b'), { recursive: true });
    const bytes = Buffer.concat([
      Buffer.from([0, 255, 254]),
      Buffer.from(`${TOKEN}5123456789012346`),
    ]);
    writeFileSync(path.join(folder, 'a/b/bytes'), bytes);
    const [file] = [...filesBelow(folder)];
    expect(file?.place).toBe(path.join(folder, 'a/b/bytes'));
    expect(findSecrets(file?.text ?? '', secrets)).toHaveLength(2);
  });

  test('the search for secrets continues if another program removes a file or a folder', () => {
    const folder = temporaryDirectory();
    for (const name of ['a', 'b', 'c/d']) mkdirSync(path.join(folder, name), { recursive: true });
    for (const name of ['a/1', 'a/2', 'b/3', 'c/d/4', 'e'])
      writeFileSync(path.join(folder, name), name);
    const found: string[] = [];
    for (const { text } of filesBelow(folder)) {
      found.push(text.toString());
      for (const gone of ['a/2', 'b', 'c/d'])
        rmSync(path.join(folder, gone), { recursive: true, force: true });
    }
    expect(found).toEqual(['a/1', 'e']);
  });
});
