/** The fast path understands what it takes as oclif does. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CommandInput } from '../../../../src/cli/dispatch/command.ts';
import { fastPath } from '../../../../src/cli/dispatch/fast-path.ts';
import { type KnownCommand, parseArgv } from '../../../../src/cli/dispatch/slow-path.ts';
import { filesOfCommands, findCommand, loadCommand, NO_HELP } from '../../../helpers/cli.ts';

type Flag = Awaited<ReturnType<typeof findCommand>>['entry']['flags'][string];

/** The words of a line, as far as examples need a shell for them. */
function wordsOf(line: string): string[] {
  const command = line.replace(/^.*?\bgw /, '').replace(/ [|<>].*$/, '');
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? '',
  );
}

/** @returns what the scripts below `test/scripts` type, from each `gw ` to the end of its line */
function linesOfScripts(): string[] {
  return readdirSync('test/scripts', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.script'))
    .flatMap((name) => readFileSync(path.join('test/scripts', name), 'utf8').split('\n'))
    .filter((line) => /^ {2}(?:\(\w+\) )?\$ .*\bgw /.test(line));
}

async function bothWays(argv: readonly string[]) {
  const { id, entry, rest } = await findCommand(argv);
  const fast = fastPath(rest, entry);
  const known = ({ flags, ...input }: Awaited<ReturnType<typeof parseArgv>>) => ({
    ...input,
    flags: Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)),
  });
  return {
    fast: fast && known(fast),
    oclif: await parseArgv({ ...entry, id } as KnownCommand, rest, NO_HELP).then(
      known,
      () => undefined,
    ),
  };
}

/** Words that may follow a command: its flags in every way of writing them, their values, and others. */
function words(flags: readonly Flag[]): fc.Arbitrary<string[]> {
  const plain = fc.constantFrom('X', '1', '7d', 'a=b', '=x', '-', '', 'local', 'json', 'x y', '--');
  const value = (flag: Flag) =>
    'options' in flag && flag.options ? fc.constantFrom(...flag.options, 'X') : plain;
  const written = flags.map((flag) => {
    const { name, char } = flag;
    return fc.oneof(
      { weight: 4, arbitrary: value(flag).map((text) => [`--${name}`, text]) },
      { weight: 2, arbitrary: value(flag).map((text) => [`--${name}=${text}`]) },
      fc.constantFrom(
        ...[`--${name}`, `--no-${name}`, `-${name}`, `--${name.slice(0, 3)}`].map((one) => [one]),
        ...(char ? [[`-${char}`], [`-${char}`, 'X'], [`-${char}X`], [`-${char}=X`]] : []),
      ),
    );
  });
  return fc.oneof(
    { weight: 1, arbitrary: plain.map((word) => [word]) },
    {
      weight: 3,
      arbitrary: fc.oneof(
        ...written,
        plain.map((word) => [word]),
      ),
    },
  );
}

/** oclif has a word that comes twice at its first place. */
const inAnyOrder = (input: CommandInput) => ({ ...input, argv: input.argv.toSorted() });

describe('every command', () => {
  test.each([...filesOfCommands()])(
    'the fast path handles the examples of gw %s',
    async (name, file) => {
      const { examples } = await loadCommand(file);
      // The text in the place of an argument does not matter.
      const own = examples
        .map((line) => line.replace(/\$\(.*?\)/, 'ID'))
        .filter((line) => line.includes(`gw ${name}`));
      expect(own.length).toBeGreaterThan(0);
      for (const example of own) {
        const { fast, oclif } = await bothWays(
          wordsOf(example.slice(example.lastIndexOf(' gw ') + 1)),
        );
        expect({ example, input: fast }).toEqual({ example, input: oclif });
        expect(fast).toBeDefined();
      }
    },
  );
});

describe('the fast path', () => {
  test.each([
    'journal list --limit 5 --unresolved',
    'events list --event charge:* --event card:* -o jsonl',
    'events resend 17 --to http://127.0.0.1:3000/ --set a=1 --set b=2',
    'events resend --to=http://127.0.0.1:3000/ 17',
    'events resend --to http://127.0.0.1/ --set a=1 17',
    'events resend --to=http://127.0.0.1/ --set=a --json 17',
    'events list --event charge:* maria',
    'api GET /v1.0/plans.json --query a=1 --query b=2',
    'api --query a=1 GET /v1.0/plans.json',
    'subscription update X --no-is-active',
    'subscription update X --is-active',
    'login',
    'listen --no-input',
    'emulator hooks log --state cancelled',
    'purchase get X -o json\r',
    'purchase get X --output=json\u00a0 --no-input',
  ])('understands gw %s as oclif does', async (line) => {
    const { fast, oclif } = await bothWays(line.split(' '));
    expect(fast).toBeDefined();
    expect(fast).toEqual(oclif);
  });

  test.each([
    ['a flag that does not exist', 'purchase get X --nonsense'],
    ['an abbreviation', 'purchase get X --out json'],
    ['a missing argument', 'journal show'],
    ['an argument too many', 'journal resolve X Y'],
    ['a missing flag', 'prune'],
    ['a choice that is none', 'emulator hooks log --state nowhere'],
    ['flags that exclude each other', 'purchase get X --json -o csv'],
    ['a flag and its opposite', 'subscription update X --is-active --no-is-active'],
    ['the opposite of a flag that has none', 'purchase get X --no-debug'],
    ['a value that begins with =', 'purchase get X -o=json'],
    ['an empty value', 'purchase get X --profile='],
    ['a flag that is given twice', 'refund create --amount 100 --amount=200'],
    ['a flag that is given twice, short', 'purchase get X --profile live -p local'],
    ['what comes after --', 'purchase get -- X'],
    ['a call for help', 'purchase get --help'],
  ])("leaves %s to oclif's parser: gw %s", async (_what, line) => {
    expect((await bothWays(line.split(' '))).fast).toBeUndefined();
  });

  test('reads random words of any command as oclif does, or leaves them to oclif', async () => {
    const commands = await Promise.all(
      [...filesOfCommands().keys()].map((name) => findCommand(name.split(' '))),
    );
    const lines = fc
      .constantFrom(...commands)
      .chain(({ id, entry }) =>
        fc
          .array(words(Object.values(entry.flags)), { maxLength: 6 })
          .map((parts) => [...id.split(':'), ...parts.flat()]),
      );
    await fc.assert(
      fc.asyncProperty(lines, async (argv) => {
        const { fast, oclif } = await bothWays(argv);
        if (fast) expect(inAnyOrder(fast)).toEqual(oclif && inAnyOrder(oclif));
      }),
      {
        numRuns: 300,
        // A dash is no part of a period that words without quotes name.
        examples: [[['report', 'declines', '--since', '7d', '-', '--by', 'reason']]],
      },
    );
  });

  test('reads each command of the scripts as oclif does, or leaves it to oclif', async () => {
    let taken = 0;
    for (const line of linesOfScripts()) {
      const argv = wordsOf(line);
      if (!(await findCommand(argv).catch(() => undefined))) continue;
      const { fast, oclif } = await bothWays(argv);
      if (!fast) continue;
      taken++;
      expect({ line, input: inAnyOrder(fast) }).toEqual({
        line,
        input: oclif && inAnyOrder(oclif),
      });
    }
    expect(taken).toBeGreaterThan(500);
  });
});
