/** What is said of a wrong command line, and what to type instead. */
import { expect, test } from 'vitest';
import { parseFailure } from '../../../../src/cli/dispatch/parse-failure.ts';
import { parseArgv } from '../../../../src/cli/dispatch/slow-path.ts';
import { helpSource } from '../../../helpers/help.ts';

const source = await helpSource();
const mistake = (line: string) => {
  const [topic = '', verb = '', ...rest] = line.split(' ');
  const [id, argv] = verb.startsWith('-') ? [topic, [verb, ...rest]] : [`${topic}:${verb}`, rest];
  return parseArgv(source.command(id), argv).then(
    () => undefined,
    (error: Error & { next: string; code: string }) => error,
  );
};

test.each([
  ['--ref INV', '--reference'],
  ['--curr AUD', '--currency'],
  ['--ammount 1', '--amount'],
  ['--amuont=1', '--amount'],
  ['--card_token x', '--card-token'],
  ['--cardToken x', '--card-token'],
  ['--Amount 1', '--amount'],
  ['-reference x', '--reference'],
  ['-profile local', '--profile'],
  ['-output=json', '--output'],
  ['--token x', '--card-token'],
  ['--tok x', '--card-token'],
  ['--cvc 1', '--cvv'],
  ['--format json', '--output'],
  ['--yes', '--confirm'],
  ['--ref A --curr B', '--reference', '--currency'],
])('gw purchase create %s: did you mean %s?', async (line, ...meant) => {
  const error = await mistake(`purchase create ${line}`);
  expect(error).toMatchObject({ code: 'flag-unknown' });
  expect([...(error?.next.matchAll(/--[\w-]+/g) ?? [])].map(([flag]) => flag)).toEqual(meant);
});

test('what oclif dims where there are colours is told in the same words', async () => {
  const dimmed = (reason: string) =>
    Object.assign(new Error(`The following error occurred:\n  \u001b[2m${reason}\u001b[22m`), {
      oclif: {},
    });
  const at = source.command('journal:prune');
  expect(parseFailure(dimmed('Missing required flag older-than'), at)).toMatchObject({
    message: 'Missing: --older-than.',
  });
  expect(
    parseFailure(dimmed('--all=true cannot also be provided when using --page'), at),
  ).toMatchObject({ message: '--all and --page cannot be used together.' });
});

test.each([
  ['plan list -o xml', '--output takes table, '],
  ['purchase list --outcome decline', 'Did you mean --outcome declined?'],
  ['plan list -o jsno', 'Did you mean --output json?'],
  ['plan list -o JSON', 'Did you mean --output json?'],
  ['profile set live --no-max-amount', 'Write --max-amount none'],
  ['profile set live --no-environment', '--environment takes a value'],
  ['purchase create --no-json', '--json is off by default'],
  ['purchase create --amount', '--amount needs a value.'],
  ['purchase create --output', '--output needs a value.'],
  ['purchase create --amount 1 --amount 2', '--amount was given more than once.'],
  ['purchase create a b', 'Unexpected arguments: a, b.'],
  ['journal show', 'Write `gw journal show ID`.'],
  ['journal prune', 'Add --older-than <90d|12w|2y>.'],
  ['plan list --all --page 2', '--all and --page cannot be used together.'],
  ['login --live', 'Did you mean --environment live?'],
  ['login --api-token abc', 'A token never stands on the command line: gw asks for it'],
  ['plan list --all --page 2', 'Give only --all, or only --page.'],
  ['purchase list -j', 'Did you mean --json?'],
  ['purchase list --csv', 'Did you mean --output csv?'],
  ['profile set live --sandbox', 'Did you mean --environment sandbox?'],
  ['profile show --profile=live', 'The profile is an argument: `gw profile show live`.'],
  ['plan list live', 'takes no arguments; if live is a profile, add --profile live.'],
  ['purchase create 25.00', 'no arguments; if 25.00 is an amount, write --decimal-amount 25.00.'],
  ['customer create --card-expiry 05/31', 'Did you mean --expiry-date?'],
  ['report forecast', 'Write `gw report forecast PERIOD [DATE]`.'],
  ['journal list --start 1d', 'Did you mean --since?'],
  ['purchase create --zzzzzz', '`gw help purchase create` says what it takes.'],
])('gw %s says: %s', async (line, said) => {
  const error = await mistake(line);
  expect(`${error?.message} ${error?.next}`).toContain(said);
});
