/** The scan of all that gw writes during the tests, judged by what it has to find. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../helpers/run.ts';
import { scanFolder, scanOutput } from '../helpers/scan.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const CARD = '5123456789012346';
/** In tests as well, and no test card of the test gateway. */
const OTHER_CARD = '6304000000000000';
const GROUPS = '5123.4567.8901.2346';
/** A token that tests of the program use. */
const TOKEN = 'shop-token-0x5ECRET';

describe('an output', () => {
  test.each([
    ['a card number', CARD, /512345…2346/],
    ['one in groups', `x ${GROUPS} y`, /512345…2346/],
    ['one in base64', Buffer.from(`a${CARD}`).toString('base64'), /512345…2346/],
    ['a token', `Bearer ${TOKEN}`, /API token shop…/],
    ['a credential', Buffer.from(`SHOP:${TOKEN}`).toString('base64'), /API token shop…/],
  ])('reports an output that has %s', (_, text, found) => {
    expect(() => scanOutput(text, 'it')).toThrow(found);
  });

  test('accepts an output without secrets', () => {
    expect(() => scanOutput('512345XXXXXX2346 5123456789012345 ***', 'it')).not.toThrow();
  });

  test("of gw emulator cards may have the test cards' numbers only", () => {
    const scan = (text: string) => () => scanOutput(text, 'it', { hasTestCards: true });
    expect(scan(`approved\t${CARD}`)).not.toThrow();
    expect(scan(`approved\t${CARD}\t${TOKEN}`)).toThrow(/API token shop…/);
    expect(scan(OTHER_CARD)).toThrow(/630400…0000/);
  });

  test.each([
    ['emulator cards', 'process.stderr', false],
    ['emulator cards', 'process.stdout', true],
    ['emulator status', 'process.stdout', false],
  ])('of gw %s may have these numbers on %s: %s', async (args, stream, isAllowed) => {
    const program = `${stream}.write('${CARD}')`;
    const ended = run(process.execPath, ['-e', program, ...args.split(' ')]);
    await (isAllowed ? ended : expect(ended).rejects.toThrow(/512345…2346/));
  });

  test('with a card number fails its test', async () => {
    await expect(run('echo', [CARD])).rejects.toThrow(/512345…2346/);
  });
});

describe('a file', () => {
  /** The file is emptied before the test's own scan of its directory. */
  function folderWith(place: string, text: string): string {
    const folder = temporaryDirectory();
    const file = path.join(folder, place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    onTestFinished(() => writeFileSync(file, ''));
    return folder;
  }

  test.each(['.local/state/gw/seen.jsonl', '.cache/gw/x', 'ledger.db-wal', 'ledger.db-journal'])(
    'of gw with a secret is found: %s',
    (place) => {
      expect(() => scanFolder(folderWith(place, `\0${GROUPS}\0`))).toThrow(/512345…2346/);
    },
  );

  test('of a test may have one', () => {
    expect(() => scanFolder(folderWith('card.json', CARD))).not.toThrow();
  });

  test('of a database is searched, whatever its name', () => {
    const folder = temporaryDirectory();
    const database = new DatabaseSync(path.join(folder, 'x'));
    database.exec('CREATE TABLE a (b)');
    database.exec(`INSERT INTO a VALUES ('${CARD}')`);
    expect(() => scanFolder(folder)).toThrow(/512345…2346/);
    database.exec('DELETE FROM a; VACUUM');
    database.close();
  });
});
