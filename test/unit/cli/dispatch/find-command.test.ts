/** From words to a command or a page of help, or to what was probably meant. */
import { describe, expect, test } from 'vitest';
import { findCommand } from '../../../../src/cli/dispatch/find-command.ts';
import { noSuchTopic } from '../../../../src/cli/dispatch/unknown-words.ts';
import { helpSource } from '../../../helpers/help.ts';

const { index } = await helpSource();
const find = (line: string) => findCommand(index, line.split(' ').filter(Boolean));

test.each([
  ['purchase get X', 'purchase:get', ['X']],
  ['emulator hooks list', 'emulator:hooks:list', []],
  ['-p local plan list', 'plan:list', ['-p', 'local']],
  ['--profile=local plan list --all', 'plan:list', ['--all', '--profile=local']],
  ['--json whoami', 'whoami', ['--json']],
  ['-o json -p local api GET -- -x', 'api', ['GET', '-o', 'json', '-p', 'local', '--', '-x']],
])('gw %s is %s with %j', async (line, id, argv) => {
  expect(await find(line)).toEqual({ kind: 'command', id, argv });
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
  expect(await find(line)).toEqual({ kind: 'help', topic });
});

describe('words that are no command', () => {
  test.each([
    ['purchase search', 'find'],
    ['purchases search ada foo', 'find ada foo'],
    ['search ada', 'find ada'],
    ['emulator run', 'emulator start'],
    ['gw purchase list', 'purchase list'],
    ['gw purchases list', 'purchase list'],
    ['refund 071-P-12AB34CD', 'refund create 071-P-12AB34CD'],
    ['purchases 071-P-12AB34CD', 'purchase get 071-P-12AB34CD'],
    ['show 071-P-12AB34CD', 'get 071-P-12AB34CD'],
    ['purchase refund 071-P-12AB34CD', 'refund create 071-P-12AB34CD'],
    ['charge 071-P-12AB34CD', 'purchase create', 'purchase list'],
    ['071-P-12AB34CD', 'get 071-P-12AB34CD'],
    ['ada@example.com', 'get ada@example.com'],
    ['c8bc3850-7875-4fc5-89a1-468846045382', 'get c8bc3850-7875-4fc5-89a1-468846045382'],
    ['INV-1001', 'find INV-1001'],
    ['charge', 'purchase create', 'purchase list'],
    ['charge create', 'purchase create'],
    ['payments list', 'purchase list'],
    ['refunds', 'refund'],
    ['refunds list', 'refund list'],
    ['void', 'refund create'],
    ['purchase refund', 'refund create'],
    ['purchase cancel', 'refund create'],
    ['search', 'find'],
    ['show', 'get'],
    ['customers list', 'customer list'],
    ['customer remove', 'customer delete'],
    ['create purchase', 'purchase create'],
    ['list purchases', 'purchase list'],
    ['purchase crate', 'purchase create'],
    ['purchase cre', 'purchase create'],
    ['purchse', 'purchase'],
    ['logs', 'journal list'],
    ['webhooks', 'listen', 'events list', 'emulator hooks list'],
    ['auth', 'login'],
    ['setup', 'login', 'profile list'],
    ['upgrade', 'version'],
    ['subscription cancel', 'subscription stop'],
    ['subscription resume', 'subscription update'],
    ['profile delete', 'profile remove'],
    ['emulator hooks lst', 'emulator hooks list'],
    ['emulator hook add', 'emulator hooks add'],
    ['events replay', 'events resend'],
    ['plan lst', 'plan list'],
    ['report today', 'report day'],
    ['PURCHASE CREATE', 'purchase create'],
  ])('gw %s: did you mean gw %s?', async (line, ...meant) => {
    const error = await find(line).catch((thrown: Error & { next: string }) => thrown);
    const guesses = [...('next' in error ? error.next : '').matchAll(/`gw ([^`]+)`/g)].map(
      ([, guess]) => guess,
    );
    expect(guesses).toEqual(meant);
  });

  test.each(['nothing', 'constructor', '%s', '374245455400126', '$(date)'])(
    'of %s nothing is guessed',
    async (word) => {
      await expect(find(word)).rejects.toMatchObject({
        code: 'command-unknown',
        next: 'Run `gw help` for the list of commands.',
      });
    },
  );

  test('a flag alone is no command', async () => {
    await expect(find('--hlep')).rejects.toMatchObject({ next: 'Did you mean `gw --help`?' });
    await expect(find('-p')).rejects.toMatchObject({ code: 'flag-before-command' });
  });

  test('a topic of help that is none is told, with what is like it', () => {
    expect(noSuchTopic(index, ['exit-code'], ['exit-codes'])).toMatchObject({
      next: 'Did you mean `gw help exit-codes`?',
    });
  });
});
