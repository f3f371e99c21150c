/** From words to a command or a page of help, or to what was probably meant. */
import { describe, expect, test } from 'vitest';
import { findCommand, wantsHelp } from '../../../../src/cli/dispatch/argv.ts';
import { noSuchTopic } from '../../../../src/cli/dispatch/unknown-words.ts';
import { helpTopic } from '../../../../src/cli/dispatch/without-command.ts';
import { actions } from '../../../../src/cli/dispatch/words.ts';
import { helpSource } from '../../../helpers/help.ts';

const source = await helpSource();
const { index, names } = source;

async function find(line: string) {
  const argv = line.split(' ').filter(Boolean);
  const found = findCommand(argv, names);
  return found.id === undefined || wantsHelp(found.words) ? helpTopic(argv, found, source) : found;
}

test.each([
  ['purchase get X', 'purchase:get', ['X']],
  ['emulator hooks list', 'emulator:hooks:list', []],
  ['-p local plan list', 'plan:list', ['-p', 'local']],
  ['--profile=local plan list --all', 'plan:list', ['--all', '--profile=local']],
  ['--json whoami', 'whoami', ['--json']],
  ['-o json -p local api GET -- -x', 'api', ['GET', '-o', 'json', '-p', 'local', '--', '-x']],
])('gw %s is %s with %j', async (line, id, words) => {
  expect(await find(line)).toEqual({ id, words });
});

test.each([
  ['', []],
  ['help', []],
  ['--help', []],
  ['-h', []],
  ['help purchase', ['purchase']],
  ['help purchase create --help', ['purchase', 'create']],
  ['purchase', ['purchase']],
  ['purchase help', ['purchase']],
  ['purchase -h', ['purchase']],
  ['-p local purchase --help', ['purchase']],
  ['purchase create --amount 1 -h', ['purchase', 'create']],
  ['emulator hooks', ['emulator', 'hooks']],
  ['help money', ['money']],
  ['help purchase --no-pager', ['purchase']],
  ['help --no-pager purchase create', ['purchase', 'create']],
  ['help --plain -o json refund', ['refund']],
  ['help help', []],
  ['help version', []],
  ['help --no-pager help', []],
])('gw %s asks for help on %j', async (line, topic) => {
  expect(await find(line)).toEqual(topic);
});

describe('unknown words', () => {
  const refused = (line: string) =>
    find(line).then(
      () => undefined,
      ({ code, message, next, sent }) => ({ code, message, next, sent }),
    );

  test.each([
    ['purchases list', 'purchase list'],
    ['PURCHASE CREATE', 'purchase create'],
    ['purchase lis', 'purchase list'],
    ['plan lst --limit 3', 'plan list --limit 3'],
    ['purchse', 'purchase'],
    ['purcase create', 'purchase'],
    ['emulator hook lst', 'emulator hooks list'],
  ])('gw %s: did you mean gw %s?', async (line, meant) => {
    expect(await refused(line)).toMatchObject({
      next: `Did you mean \`gw ${meant}\`?`,
      sent: false,
    });
  });

  test.each([
    ['purchase crate', 'gw help purchase'],
    ['refund creat 071-P-12AB34CD', 'gw help refund'],
    ['emulator hooks nothing', 'gw help emulator hooks'],
  ])('gw makes no suggestion for gw %s', async (line, help) => {
    expect(await refused(line)).toMatchObject({
      code: 'command-unknown',
      next: `\`${help}\` lists the commands.`,
    });
  });

  test.each(['nothing', 'constructor', '8902'])('gw %s is searched for', async (line) => {
    expect(await refused(line)).toMatchObject({
      code: 'command-unknown',
      next: `\`gw find ${line}\` searches for it. \`gw help\` lists the commands.`,
    });
  });

  const ERASING = [
    'customer delete',
    'emulator hooks remove',
    'emulator reset',
    'forget',
    'logout',
    'profile remove',
    'prune',
  ];

  test('commands that delete or erase say so in their definitions', () => {
    const telling = /^(?:delete|erase|forget|remove|reset|sign out)/i;
    const told = Object.entries(index.commands).filter(([, summary]) => telling.test(summary));
    expect(index.erasing.map((id) => id.replaceAll(':', ' ')).toSorted()).toEqual(ERASING);
    expect(index.erasing).toEqual(expect.arrayContaining(told.map(([id]) => id)));
  });

  test.each(['print', 'format', 'prun', 'prunes', 'forge', 'Forget', 'logot', 'logut'])(
    'gw %s is no step from a command that erases',
    async (line) => {
      expect((await refused(line))?.next).not.toMatch(/gw (?:prune|forget|logout)/);
    },
  );

  test.each(ERASING)('no word that is nearly gw %s suggests it', async (erasing) => {
    const words = erasing.split(' ');
    const last = words.pop() ?? '';
    const near = [...last].flatMap((letter, at) => {
      const [before, after] = [last.slice(0, at), last.slice(at + 1)];
      return [before + after, before + letter + letter + after, `${before}x${after}`];
    });
    // The table means those words, in any letters and as a plural.
    const guessed = [...near, last.slice(0, 3)].filter(
      (word) => !actions.has(word.replace(/s$/, '')),
    );
    for (const word of guessed) {
      const line = [...words, word].join(' ');
      const answer = await find(line).catch(({ next }) => next);
      expect(JSON.stringify(answer), line).not.toMatch(new RegExp(`\\b${erasing}\\b`));
    }
  });

  test('a message does not repeat the words after an unknown one, which may be secrets', async () => {
    expect((await refused('lgin sk_live_1'))?.message).toBe('There is no command `gw lgin`.');
    expect((await refused('--api-token=sk_live_1'))?.message).not.toContain('sk_live_1');
  });

  test('a flag alone is not a command', async () => {
    expect(await refused('-p')).toMatchObject({ code: 'flag-before-command' });
  });

  test('an unknown topic of help gets a suggestion', () => {
    expect(noSuchTopic(source, ['exit-cods'], ['exit-codes'])).toMatchObject({
      next: 'Did you mean `gw help exit-codes`?',
    });
  });
});
