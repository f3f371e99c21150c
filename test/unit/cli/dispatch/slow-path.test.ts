/** A wrong command line gets oclif's words without the typed values, and one next step. */
import { expect, test } from 'vitest';
import { parseArgv } from '../../../../src/cli/dispatch/slow-path.ts';
import { helpSource } from '../../../helpers/help.ts';

const source = await helpSource();
const mistake = (id: string, argv: readonly string[]) =>
  parseArgv(source.command(id), argv, source).then(
    () => undefined,
    ({ code, message, next, sent, cause }) => ({ code, message, next, sent, cause }),
  );

test.each([
  ['--ref INV', '`gw purchase create --reference INV`?'],
  ['--card_token x', '`gw purchase create --card-token x`?'],
  ['--cardToken x', '`gw purchase create --card-token x`?'],
  ['--Amount 1', '`gw purchase create --amount 1`?'],
  ['--token x', '`gw purchase create --card-token x`?'],
  ['--format json', '`gw purchase create -o json`?'],
  ['--csv', '`gw purchase create -o csv`?'],
  ['-dry-run', '`gw purchase create --dry-run`?'],
  ['-profile local', '`gw purchase create -p local`?'],
  ['-output=json', '`gw purchase create -o json`?'],
  ['--ammount 1', '--amount?'],
  ['--amuont=1', '--amount?'],
])('gw purchase create %s: did you mean %s', async (line, meant) => {
  expect(await mistake('purchase:create', line.split(' '))).toMatchObject({
    code: 'flag-unknown',
    next: `Did you mean ${meant}`,
  });
});

test.each([
  [
    'customer:create',
    'batch customers.csv --dry-run',
    'Unexpected arguments `batch`, `customers.csv`.',
    'Did you mean `gw customer batch customers.csv --dry-run`?',
  ],
  ['purchase:create', 'list', 'Unexpected argument `list`.', 'Did you mean `gw purchase list`?'],
  ['refund:create', 'batch r.csv', '`r.csv`.', 'Did you mean `gw refund batch r.csv`?'],
])('gw %s %s: %s %s', async (id, line, message, next) => {
  expect(await mistake(id, line.split(' '))).toMatchObject({
    message: expect.stringContaining(message),
    next,
  });
});

test.each([
  ['purchase:create', '--zzzzzz', 'flag-unknown', 'gw purchase create has no flag --zzzzzz.'],
  ['refund:create', '--ful', 'flag-unknown', 'gw refund create has no flag --ful.'],
  ['refund:create', '--allow-duplicat', 'flag-unknown', 'has no flag --allow-duplicat.'],
  ['purchase:create', '--x=123 --y', 'flag-unknown', 'gw purchase create has no flags --x, --y.'],
  ['purchase:create', 'abc def', 'argument-unexpected', 'Unexpected arguments `abc`, `def`.'],
  ['journal:show', '', 'argument-missing', 'Missing: ID.'],
  ['purchase:create', '--amount', 'flag-invalid', 'Flag --amount expects a value.'],
  [
    'purchase:create',
    '--amount 1 --amount 2',
    'flag-invalid',
    'Flag --amount can only be specified once.',
  ],
  [
    'emulator:start',
    '--dialect lax',
    'flag-invalid',
    'Expected --dialect to be one of: deployed, strict.',
  ],
  ['trigger', '-oxml', 'flag-invalid', 'Expected --output to be one of: '],
])('gw %s %s: %s, %s', async (id, line, code, message) => {
  const said = await mistake(id, line.split(' ').filter(Boolean));
  expect(said).toMatchObject({
    code,
    message: expect.stringContaining(message),
    next: `\`gw help ${id.replace(':', ' ')}\` says what it takes.`,
    sent: /^(?:journal:show|emulator:start|trigger)$/.test(id) ? undefined : false,
    cause: undefined,
  });
});

test.each([
  [['--amount=12', '--full'], '--amount and --full do not go together: leave one of them out.'],
  [
    ['--amount', '12 34\n', '--reference', '12', '--full'],
    '--amount and --full do not go together',
  ],
  [
    ['--decimal-amount', '1.00', '--amount', '1'],
    '--amount and --decimal-amount do not go together',
  ],
])(
  'a message about flags that exclude each other, %j, has none of their values',
  async (argv, message) => {
    const said = await mistake('refund:create', argv);
    expect(said).toMatchObject({
      code: 'flags-exclusive',
      message: expect.stringContaining(message),
    });
    expect(said?.message).not.toMatch(/\d/);
  },
);
