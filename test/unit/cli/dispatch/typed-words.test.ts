/**
 * What people type who come from gh, Stripe's CLI, a dashboard or the phone, and what gw answers. typed-words.txt has a
 * line that is typed, and below it the whole next step.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandText } from '../../../../src/base/shell.ts';
import { findCommand, wantsHelp } from '../../../../src/cli/dispatch/argv.ts';
import { corrected } from '../../../../src/cli/dispatch/corrected.ts';
import { fastPath } from '../../../../src/cli/dispatch/fast-path.ts';
import { flagWords } from '../../../../src/cli/dispatch/flag-words.ts';
import { parseArgv } from '../../../../src/cli/dispatch/slow-path.ts';
import { noSuchTopic } from '../../../../src/cli/dispatch/unknown-words.ts';
import { helpTopic, reportNamed } from '../../../../src/cli/dispatch/without-command.ts';
import { actions, nouns } from '../../../../src/cli/dispatch/words.ts';
import { foundPage } from '../../../../src/cli/help/found-page.ts';
import { GUIDES } from '../../../../src/cli/help/guides.ts';
import { commandWords } from '../../../../src/cli/help/help-data.ts';
import { helpText } from '../../../../src/cli/help/show-help.ts';
import { Failure } from '../../../../src/failure.ts';
import { helpSource, plainStyle } from '../../../helpers/help.ts';

const source = await helpSource();
const ids = Object.keys(source.index.commands);
const grave = [...source.index.erasing, ...source.index.charging].map(commandWords);

/** Splits a line as a shell does, with single quotes. */
const split = (line: string) =>
  (line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''));

/** @returns the flag for a time that was typed as words */
const timeOf = ({ since }: Readonly<Record<string, unknown>>) =>
  typeof since === 'string' ? ` Since: ${since}.` : '';

/** @returns what gw says to a wrong line; for a right one an empty text, and the command that it runs */
async function saidTo(
  argv: readonly string[],
): Promise<{ message: string; next: string; runs?: string }> {
  const found = await reportNamed(findCommand(argv, source.names));
  try {
    if (found.id === undefined || wantsHelp(found.words)) {
      const topic = await helpTopic(argv, found, source);
      if (helpText(topic, source, plainStyle()) === undefined)
        throw noSuchTopic(source, topic, Object.keys(GUIDES));
      return { message: '', next: '' };
    }
    const input = await parseArgv(source.command(found.id), found.words, source);
    const runs = `Runs \`${commandText([...found.id.split(':'), ...input.argv], [])}\`.`;
    return { message: '', next: '', runs: `${runs}${timeOf(input.flags)}` };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** The commands and pages of help that an answer names, each without `gw`. */
const named = (next: string) =>
  [...next.matchAll(/`gw ([^`]*)`/g)].map(([, line = '']) => line.replace(/ >.*$/, ''));

/** @returns the commands in an answer that gw would not take */
function wrongIn(next: string): string[] {
  return named(next).filter((line) => {
    const argv = split(line);
    const [, ...topic] = argv;
    if (argv[0] === 'help')
      return !helpText(topic, source, plainStyle()) && !foundPage(topic, source, plainStyle());
    const { id, words } = findCommand(argv, source.names);
    if (id === undefined) return !source.names.isTopic(words);
    const entry = source.command(id);
    // In a sentence, a command may be named without what it needs.
    return words.length > 0 && fastPath(words, entry) === undefined;
  });
}

const TABLE = readFileSync(new URL('typed-words.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => line.trim());
const rows = TABLE.flatMap((line, at) =>
  at % 2 === 0 ? [[line.replace('gw ', ''), TABLE[at + 1] ?? ''] as const] : [],
);

test('the table has all that was promised', () => {
  expect(rows.length).toBeGreaterThan(300);
  expect(new Set(rows.map(([line]) => line)).size).toBe(rows.length);
});

test.each(rows)('gw %s: %s', async (line, next) => {
  const said = await saidTo(split(line));
  expect(said.next || said.runs).toBe(next);
  expect(wrongIn(next)).toEqual([]);
});

describe('every noun with actions, before and behind it', () => {
  const values = [[], ['071-P-IE49OSAF'], ['25.00', '--reference', 'INV-1', '--limit', '3']];

  // A twelfth of the pairs, of each noun others: all of them take minutes.
  test.each([...nouns.keys()].map((noun, n) => [noun, n] as const))('%s', async (noun, n) => {
    const first = noun.split('-');
    for (const [at, action] of [...actions.keys()].entries()) {
      if ((at + n) % 12 !== 0) continue;
      const value = values[at % values.length] ?? [];
      const line = at % 2 === 0 ? [...first, action, ...value] : [action, noun, ...value];
      const { next } = await saidTo(at % 7 === 0 ? ['help', ...line] : line);
      expect(wrongIn(next), `gw ${line.join(' ')}: ${next}`).toEqual([]);
      expect(next, line.join(' ')).not.toMatch(/\n|[{}]|undefined/);
    }
  });
});

test.each(ids)('gw %s with a flag of another program proposes what it takes', (id) => {
  const command = source.command(id);
  for (const [at, flag] of flagWords().entries()) {
    const forms = [[`--${flag}`], [`--${flag}`, '5'], ['A-1', `--${flag}=json`, 'B-2']];
    const words = forms[(at + id.length) % forms.length] ?? [];
    const said = corrected(command, words);
    expect(wrongIn(said), `gw ${id} ${words.join(' ')}: ${said}`).toEqual([]);
  }
});

describe('letters alone name nothing that deletes, erases or moves money', () => {
  /** Words with a letter less, one more, or another one, and beginnings. */
  const nearly = (word: string) =>
    [...word].flatMap((letter, at) => {
      const [before, after] = [word.slice(0, at), word.slice(at + 1)];
      return [before + after, before + letter + letter + after, `${before}x${after}`, before];
    });
  const isMeant = (word: string) => actions.has(word) || nouns.has(word);

  test.each(ids.map(commandWords))('gw %s', async (name) => {
    const words = name.split(' ');
    for (const [place, word] of words.entries())
      for (const wrong of nearly(word).filter(
        (one) => one !== '' && !isMeant(one.replace(/s$/, '')),
      )) {
        const line = words.with(place, wrong);
        const { next } = await saidTo([...line, '071-P-IE49OSAF']);
        const guessed = named(next).filter((one) =>
          grave.some((id) => `${one} `.startsWith(`${id} `)),
        );
        expect(guessed, line.join(' ')).toEqual([]);
      }
  });
});

describe('an answer has no secret and no card data', () => {
  test.each([
    'charge 4111111111111111 12/27 123',
    'charge 4111 1111 1111 1111 123',
    'charge 4111-1111-1111-1112 123 25.00',
    'charge 4111 1111 1111 1112 123',
    'purchase new --card-number 4111111111111111 --cvv 123',
    'purchase new --number=4111111111111111 --cvc=123',
    'purchase create --pan 4111111111111111 --security-code 123',
    'purchase create 4111111111111111 123',
    'purchase refund 4111111111111111',
    'customer edit 071-C-IE49OSAF --cc 4111111111111111 --cvv2 123',
    'customer update 071-C-IE49OSAF --reference 4111111111111111 --cvc 123',
    'dispute 4111111111111111 123',
    'card 4111111111111111',
    'cards delete 4111111111111111',
    'auth login sk_live_4111abc',
    'auth login --token sk_live_4111abc',
    'login --api-key=sk_live_4111abc',
    'login --password 4111abc',
    'lgin sk_live_4111abc',
    'sk_live_4111abc',
    'help sk_live_4111abc',
    'profile create 4111abcdefabcdefabcdefabcdef123',
    'purchase list --api-token 4111abc',
    'api GET /v1.0/plans.json -H 4111abc',
    'config set --secret-thing 4111abc',
  ])('gw %s', async (line) => {
    const { message, next } = await saidTo(split(line));
    expect(message).not.toBe('');
    expect(next.replaceAll(/123(?=[A-Z])/g, '')).not.toMatch(/4111|1111|123|abc/);
    if (line.includes('sk_')) expect(message).not.toContain('sk_');
  });
});
