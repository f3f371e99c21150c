/** Shell completion, set up by its line and tried with the Tab key in a terminal, in each shell there is. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const TERMINAL_TIMEOUT_MS = 50_000;
const TRACE = path.resolve('test/helpers/load-trace.cjs');
const BASH_COMPLETION = '/usr/share/bash-completion/bash_completion';

/** A line typed, and the line that is run of it. */
const TYPED: [typed: string, run: string][] = [
  ['gw purchase cr\t', 'purchase create'],
  ['gw wh\t', 'whoami'],
  ['gw subscr\tm\t', 'subscription move'],
  ['gw refund create --transa\t', 'refund create --transaction-id'],
  ['gw plan list -o jsonl --prof\tlo\t', 'plan list -o jsonl --profile local'],
  ['gw -p sh\tpurchase li\t', '-p shop-2 purchase list'],
  ['gw purchase create --test-card declined-v\t', 'purchase create --test-card declined-visa'],
  ['gw trigger card:expiri\t', 'trigger card:expiring'],
  ['gw plan list --output=jsonl --al\t', 'plan list --output=jsonl --all'],
  ['gw plan list --output=ta\t', 'plan list --output=table'],
  ['gw subscription create --frequency Fort\t', 'subscription create --frequency Fortnightly'],
  ['gw purchase create --input bod\t', 'purchase create --input body.json'],
  ["gw find '$(touch pwned)' --js\t", 'find $(touch pwned) --json'],
  ['gw get nothing-like-it\t', 'get nothing-like-it'],
];

interface Shell {
  name: string;
  program: string;
  /** The startup file and what is in it. */
  startup: [file: string, text: string];
  args: string[];
  /** true if no gw is in PATH. */
  isAlias?: boolean;
}

const profiles = { 'shop-2': { environment: 'sandbox', baseUrl: 'https://shop.example/' } };

const RECORDER = 'gw() { printf \'ran <%s>\\n\' "$*"; }';

const ALIAS = 'alias gw="$HOME/gw.cjs"';
const PRINT = `'${process.execPath}' '${PROGRAM}' completion`;

const SHELLS: Shell[] = [
  {
    name: 'bash that knows gw by an alias',
    program: 'bash',
    startup: ['.bashrc', `eval "$(${PRINT} bash)"\n${ALIAS}\n`],
    args: ['-i'],
    isAlias: true,
  },
  {
    name: 'zsh that knows gw by an alias',
    program: 'zsh',
    startup: ['.zshrc', `eval "$(${PRINT} zsh)"\n${ALIAS}\n`],
    args: ['-i'],
    isAlias: true,
  },
  {
    name: 'bash',
    program: 'bash',
    startup: ['.bashrc', `eval "$(gw completion bash)"\n${RECORDER}\n`],
    args: ['-i'],
  },
  {
    name: 'bash with bash-completion',
    program: 'bash',
    startup: ['.bashrc', `. ${BASH_COMPLETION}\neval "$(gw completion bash)"\n${RECORDER}\n`],
    args: ['-i'],
  },
  {
    name: 'zsh',
    program: 'zsh',
    startup: ['.zshrc', `eval "$(gw completion zsh)"\n${RECORDER}\n`],
    args: ['-i'],
  },
  {
    name: 'fish',
    program: 'fish',
    startup: [
      '.config/fish/config.fish',
      'gw completion fish | source\nfunction gw; printf \'ran <%s>\\n\' "$argv"; end\n',
    ],
    args: ['-i'],
  },
];

describe('gw completion', () => {
  for (const { name, program, startup, args, isAlias = false } of SHELLS) {
    const isThere =
      process.platform === 'linux' &&
      havePrograms('script', program) &&
      (!name.includes('with bash-completion') || existsSync(BASH_COMPLETION));
    test.skipIf(!isThere)(
      `gw completes commands, flags and values in ${name}`,
      async () => {
        const { env: withGw, home } = emptyHome();
        const env = isAlias ? { ...withGw, PATH: process.env.PATH ?? '' } : withGw;
        const [file, text] = startup;
        mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
        // Without this folder, fish reads all man pages of the machine in the background.
        mkdirSync(path.join(home, '.local/share/fish/generated_completions'), { recursive: true });
        writeFileSync(path.join(home, file), text);
        writeFileSync(path.join(home, 'body.json'), '{}');
        // An alias stands for a program.
        const recorder = '#!/bin/sh\nprintf "ran <%s>\\n" "$*"\n';
        writeFileSync(path.join(home, 'gw.cjs'), recorder, { mode: 0o755 });
        mkdirSync(path.join(home, '.config/gw'), { recursive: true });
        writeFileSync(path.join(home, '.config/gw/profiles.json'), JSON.stringify({ profiles }));
        const ran = await typeInto([program, ...args], { env, home });
        expect(ran).toEqual(TYPED.map(([, line]) => line));
        expect(existsSync(path.join(home, 'pwned'))).toBe(false);
      },
      120_000,
    );
  }

  test.each(['bash', 'zsh', 'fish', 'powershell'])(
    'gw completion %s prints a script',
    async (shell) => {
      const { env } = emptyHome();
      const named = await run('gw', ['completion', shell], { env });
      expect(named).toMatchObject({ code: 0, stdout: expect.stringMatching(/gw"? __complete/) });
      // An answer is text to each of them, and is never run.
      expect(named.stdout).not.toMatch(/\b(?:eval|iex|Invoke-Expression)\b/i);
      const own = await run('gw', ['completion'], { env: { ...env, SHELL: `/usr/bin/${shell}` } });
      expect(own.stdout).toBe(named.stdout);
    },
  );

  test('the shell whose program is pwsh gets the script of PowerShell', async () => {
    const { env } = emptyHome();
    const { stdout } = await run('gw', ['completion'], { env: { ...env, SHELL: '/usr/bin/pwsh' } });
    expect(stdout).toMatch(/^# PowerShell.*\nRegister-ArgumentCompleter -Native -CommandName gw /);
  });

  test('gw completion names its shells', async () => {
    const { code, stderr } = await run('gw', ['completion', 'tcsh'], { env: emptyHome().env });
    expect(stderr).toContain('Name bash, zsh, fish or powershell');
    expect(code).toBe(2);
  });

  test.each([
    ['a flag', '--test-c', ['purchase', 'create']],
    ['a format', '', ['purchase', 'create', '-o']],
    ['a command', 'purch', []],
  ])(
    'completing %s loads no schemas, no records and no ledger, and makes no file',
    async (_, current, words) => {
      const { env, home } = emptyHome();
      const loads = path.join(temporaryDirectory(), 'loads');
      const before = readdirSync(home);
      const { stdout } = await run('gw', ['__complete', current, ...words], {
        env: {
          ...env,
          NODE_OPTIONS: `--enable-source-maps --require=${TRACE}`,
          GW_TEST_LOADS: loads,
        },
      });
      expect(stdout).toMatch(/^\S+\t/);
      const loaded = readFileSync(loads, 'utf8');
      expect(loaded).toContain('complete');
      expect(loaded).not.toMatch(/sqlite|schemas|gateway-records|keytar|core-|node:https?/);
      expect(readdirSync(home)).toEqual(before);
    },
  );

  test('completing a profile opens neither the ledger nor the keychain', async () => {
    const loads = path.join(temporaryDirectory(), 'loads');
    const { stdout } = await run('gw', ['__complete', 'lo', '-p'], {
      env: {
        ...emptyHome().env,
        NODE_OPTIONS: `--enable-source-maps --require=${TRACE}`,
        GW_TEST_LOADS: loads,
      },
    });
    expect(stdout).toBe('local\tlocal\n');
    expect(readFileSync(loads, 'utf8')).not.toMatch(/sqlite|keytar|node:https?/);
  });

  test('a completion that fails prints nothing', async () => {
    const { env, home } = emptyHome();
    mkdirSync(path.join(home, '.config/gw'), { recursive: true });
    writeFileSync(path.join(home, '.config/gw/profiles.json'), '{"profiles": ');
    for (const argv of [['x', 'profile', 'use'], ['x', 'no', 'such'], []]) {
      const ended = await run('gw', ['__complete', ...argv], { env });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout).toBe(argv.length > 0 ? '' : ended.stdout);
    }
  });
});

function emptyHome() {
  const home = temporaryDirectory();
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  const program = `exec '${process.execPath}' '${PROGRAM}' "$@"`;
  writeFileSync(path.join(bin, 'gw'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  return { home, env: { PATH: `${bin}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8' } };
}

/** @returns what a shell in a terminal ran of the lines of TYPED */
async function typeInto(
  shell: readonly string[],
  { env, home }: { env: Record<string, string>; home: string },
): Promise<(string | undefined)[]> {
  const keys = [...TYPED.map(([typed]) => typed), 'exit', ''];
  const { stdout } = await run('script', ['-qec', shell.join(' '), '/dev/null'], {
    env: { ...env, TERM: 'xterm' },
    cwd: home,
    input: keys.join('\n'),
    timeout: TERMINAL_TIMEOUT_MS,
  });
  return [...stdout.matchAll(/ran <([^%>]*?) *>/g)].map(([, ran]) => ran);
}
