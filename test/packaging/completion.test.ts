/** Shell completion, set up by its line and tried with the Tab key in a terminal, in each shell there is. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const TERMINAL_TIMEOUT_MS = 50_000;
const TRACE = path.resolve('test/helpers/load-trace.cjs');
const BASH_COMPLETION = '/usr/share/bash-completion/bash_completion';

/** What no shell may run, whatever is completed; with the characters that shells care about. */
const NASTY = 'INV 7 $(touch pwned) `touch pwned`;touch pwned & \'x\' "y" !! *~';

/** A line typed, and the line that is run of it. */
const TYPED: [typed: string, run: string][] = [
  ['gw purchase cr\t', 'purchase create'],
  ['gw wh\t', 'whoami'],
  ['gw subscr\tm\t', 'subscription move'],
  ['gw refund create --transa\t', 'refund create --transaction-id'],
  ['gw plan list -o jsonl --prof\tlo\t', 'plan list -o jsonl --profile local'],
  ['gw purchase create --test-card declined-v\t', 'purchase create --test-card declined-visa'],
  ['gw trigger card:expiri\t', 'trigger card:expiring'],
  ['gw plan list --output=jsonl --al\t', 'plan list --output=jsonl --all'],
  ['gw plan list --output=ta\t', 'plan list --output=table'],
  ['gw subscription create --frequency Fort\t', 'subscription create --frequency Fortnightly'],
  ['gw purchase get x --fields id,refer\t', 'purchase get x --fields id,reference'],
  ['gw purchase get x --fields=id,refer\t', 'purchase get x --fields=id,reference'],
  [
    'gw profile set shop --allowed-commands plan\\ list,refund\\ cr\t',
    'profile set shop --allowed-commands plan list,refund create',
  ],
  ['gw purchase create --input bod\t', 'purchase create --input body.json'],
  ['gw purchase get 071-\t', 'purchase get ID'],
  ['gw get INV\t', `get ${NASTY}`],
  ['gw get \u65e5\t', 'get \u65e5\u672c'],
  ['gw get nothing-like-it\t', 'get nothing-like-it'],
];

interface Shell {
  name: string;
  program: string;
  /** The startup file and what is in it. */
  startup: [file: string, text: string];
  args: string[];
}

const RECORDER = 'gw() { printf \'ran <%s>\\n\' "$*"; }';

const SHELLS: Shell[] = [
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
  for (const { name, program, startup, args } of SHELLS) {
    const isThere =
      process.platform === 'linux' &&
      havePrograms('script', program) &&
      (!name.includes('with') || existsSync(BASH_COMPLETION));
    test.skipIf(!isThere)(
      `gw completes commands, flags and values in ${name}`,
      async () => {
        const { env, home, id } = await homeWithRecords();
        const [file, text] = startup;
        mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
        // Where it is missing, fish reads all man pages of the machine, in the background.
        mkdirSync(path.join(home, '.local/share/fish/generated_completions'), { recursive: true });
        writeFileSync(path.join(home, file), text);
        writeFileSync(path.join(home, 'body.json'), '{}');
        const ran = await typeInto([program, ...args], { env, home });
        expect(ran).toEqual(TYPED.map(([, line]) => line.replace(/ ID$/, ` ${id}`)));
        expect(existsSync(path.join(home, 'pwned'))).toBe(false);
      },
      120_000,
    );
  }

  test.each(['bash', 'zsh', 'fish', 'powershell'])(
    'gw completion %s prints a script',
    async (shell) => {
      const { env } = emptyHome();
      const { code, stdout } = await run('gw', ['completion', shell], { env });
      expect(code).toBe(0);
      expect(stdout).toContain(`__complete ${shell}`);
      // An answer is text to each of them, and is never run.
      expect(stdout).not.toMatch(/\beval\b|Invoke-Expression|Invoke-Command/);
    },
  );

  test('gw completion names the shells that it knows', async () => {
    const { code, stderr } = await run('gw', ['completion', 'tcsh'], { env: emptyHome().env });
    expect(stderr).toContain('Name bash, zsh, fish or powershell');
    expect(code).toBe(2);
  });

  test.each([
    ['a flag', 'gw purchase create --test-c'],
    ['a format', 'gw purchase create -o '],
    ['a command', 'gw purch'],
  ])('completing %s loads no schemas, no records and no ledger', async (_, line) => {
    const { env, home } = emptyHome();
    const loads = path.join(home, 'loads');
    const { stdout } = await run('gw', ['__complete', 'bash', line, ':='], {
      env: { ...env, NODE_OPTIONS: `--require=${TRACE}`, GW_TEST_LOADS: loads },
    });
    expect(stdout).toMatch(/^:values\n./);
    const loaded = readFileSync(loads, 'utf8');
    expect(loaded).toContain('run-complete');
    expect(loaded).not.toMatch(/sqlite|schemas|gateway-records|core-/);
  });

  test.each([
    ['profile list', 'profile list'],
    ['profile show', 'profile show local'],
    ['emulator cards', 'emulator cards'],
    ['emulator hooks list', 'emulator hooks list'],
    ['find', 'find 25.00'],
    ['batch list', 'batch list'],
  ])('the fields that are completed for gw %s are those of its records', async (name, line) => {
    const { env, home } = emptyHome();
    const card =
      '"card_number":"5123456789012346","card_expiry":"05/2031","card_holder":"A","cvv":"123"';
    const body = `{"amount":2500,"reference":"A-1","customer_ip":"127.0.0.1",${card}}\n`;
    writeFileSync(path.join(home, 'rows.jsonl'), body);
    const batch = 'purchase batch rows.jsonl -p local --no-input';
    for (const before of [batch, 'emulator hooks add http://127.0.0.1:3000/'])
      await run('gw', before.split(' '), { env, cwd: home });
    const asked = ['__complete', 'zsh', '=', ...name.split(' '), '--fields'];
    const { stdout } = await run('gw', asked, { env });
    const records = await run('gw', [...line.split(' '), '-o', 'jsonl'], { env });
    const [first = ''] = records.stdout.split('\n');
    const fields = Object.keys(JSON.parse(first));
    expect(fields).toEqual(expect.arrayContaining(stdout.trimEnd().split('\n').slice(1)));
    expect(fields.length).toBeGreaterThan(4);
  });

  test('a completion that fails prints nothing', async () => {
    const { env, home } = emptyHome();
    mkdirSync(path.join(home, '.config/gw'), { recursive: true });
    mkdirSync(path.join(home, '.local/state/gw'), { recursive: true });
    writeFileSync(path.join(home, '.config/gw/profiles.json'), '{"profiles": ');
    writeFileSync(path.join(home, '.local/state/gw/ledger.db'), 'no database');
    for (const words of [['profile', 'show'], ['purchase', 'get'], ['no', 'such'], []]) {
      const argv = ['__complete', 'zsh', '=x', ...words];
      const { code, stdout, stderr } = await run('gw', argv, { env });
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: ':values\n', stderr: '' });
    }
    const unknown = await run('gw', ['__complete'], { env });
    expect(unknown).toMatchObject({ code: 0, stderr: '' });
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

/** A home in which a plain and a nasty reference are known. */
async function homeWithRecords() {
  const { home, env } = emptyHome();
  const card = ['-p', 'local', '--test-card', 'approved', '--amount', '2500'];
  const make = async (...more: string[]) => {
    const made = await run('gw', ['purchase', 'create', ...card, ...more, '-o', 'id'], { env });
    expect(made.stderr).toBe('');
    return made.stdout.trim();
  };
  const id = await make('--reference', NASTY);
  const customer = ['customer', 'create', '-p', 'local', '--test-card', 'approved'];
  await run(
    'gw',
    [
      ...customer,
      '--first-name',
      'Ada',
      '--last-name',
      'Byron',
      '--email',
      'ada@example.com',
      '--reference',
      '\u65e5\u672c',
    ],
    { env },
  );
  return { home, env, id };
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
