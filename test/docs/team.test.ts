/** The five lines of docs/team.md, as they stand but for addresses, and what an operator does after them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Cluster, findPostgres } from '../helpers/postgres.ts';
import { PROGRAM } from '../helpers/program.ts';
import { start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const TEXT = readFileSync(path.join(ROOT, 'docs/team.md'), 'utf8');
const linesOf = (name: string) =>
  new RegExp(`^\`\`\`sh ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(TEXT)?.[1]?.trimEnd().split('\n') ??
  [];
const LINES = linesOf('team');
const LOOKS = linesOf('team-look');

const programs = findPostgres();

describe.skipIf(programs === undefined)('docs/team.md', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  function aMachine() {
    const home = temporaryDirectory();
    const bin = path.join(home, 'bin');
    mkdirSync(bin);
    const gw = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
    writeFileSync(path.join(bin, 'gw'), gw, { mode: 0o755 });
    const env = {
      ...{ HOME: home, PGHOST: cluster.folder, PGPORT: String(cluster.port), PGUSER: 'gw' },
      PATH: `${bin}:${programs}:${process.env.PATH}`,
    };
    const socket = `host=${encodeURIComponent(cluster.folder)}&port=${cluster.port}`;
    return (line: string, input = '') => {
      const real = line
        .replaceAll("'postgres:///gw?host=/var/run/postgresql'", `'postgres://gw@/gw?${socket}'`)
        .replaceAll('postgres://ada@ledger.example/gw', `'postgres://ada@/gw?${socket}'`);
      return start('sh', ['-c', real], { cwd: home, env, input, detached: true }).ended;
    };
  }

  const CARD = JSON.stringify({
    ...{ card_number: '5123456789012346', card_holder: 'Ada Byron' },
    ...{ card_expiry: '05/2099', cvv: '123' },
  });
  const PAY = 'gw purchase create --profile local --amount 2500 --currency AUD --input -';

  test("has five lines that move this machine's data to a ledger, which an operator then uses", async () => {
    const sh = aMachine();
    const pay = `echo '${CARD}' | ${PAY} --reference INV-1 -o id`;
    const paid = await sh(pay);
    expect(paid.stderr).toBe('');
    const purchase = paid.stdout.trim();

    expect(LINES).toHaveLength(5);
    const said: string[] = [];
    for (const line of LINES) {
      const { code, stderr, stdout } = await sh(
        line,
        line.includes('createuser -P') ? 'horse 7\nhorse 7\n' : '',
      );
      expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({
        line,
        code: 0,
        stderr: '',
      });
      said.push(stderr + stdout);
    }
    expect(said[1]).toMatch(
      /^Created the ledger at .* \(format \d+\)\.\nada is now an operator\.\n$/,
    );
    expect(said[3]).toContain('does not ask for a password');
    expect(said[4]).toContain('Copied 1 entry and 1 record from ');

    const asAda = (line: string) =>
      sh(`export GW_LEDGER_URL=postgres://ada@ledger.example/gw; ${line}`);
    const refund = `gw refund create --profile local --transaction-id ${purchase} --reference RET-1`;
    expect(await asAda(`${refund} --amount 1500`)).toMatchObject({ code: 0 });
    // The team knows the requests of the file.
    expect(await asAda(`echo '${CARD}' | ${PAY} --reference INV-1`)).toMatchObject({ code: 10 });
    expect(await asAda(`${refund}b --amount 1500`)).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('25.00 AUD paid, 15.00 AUD refunded'),
    });
    for (const line of ['gw journal list', 'gw ledger status', 'gw find INV-1', 'gw history INV-1'])
      expect({ line, ...(await asAda(line)) }).toMatchObject({ line, code: 0 });
    const pruned = await asAda(
      'gw prune --before 1d --only journal --profile local --confirm local',
    );
    expect(pruned).toMatchObject({ code: 10, stderr: expect.stringContaining('may not') });

    // Somebody whose machine has sent nothing follows the same page.
    const bob = aMachine();
    for (const line of [...LINES.slice(2), ...LOOKS]) {
      const { code, stderr, stdout } = await bob(line);
      // The credentials of the gateway are no part of these lines.
      const isIt = line.startsWith('gw whoami');
      expect({ line, code, stderr: code === 0 ? '' : stderr }).toMatchObject({
        ...{ line, code: isIt ? 3 : 0 },
        ...(isIt ? {} : { stderr: '' }),
      });
      if (line.includes('--from')) expect(stderr).toContain('nothing to copy');
      if (LOOKS.includes(line)) expect(stdout).toContain('ada@');
    }
    const local = await bob('gw purchase list --profile local; gw ledger status');
    expect(local.stderr).toContain('add `--profile live`');
    const erasing = await asAda(`gw forget ${purchase} --yes`);
    expect(erasing).toMatchObject({ code: 10, stdout: '' });
    expect(erasing.stderr).toMatch(/^gw: The role ada may not erase|The role ada may not erase/);
    expect(erasing.stderr).toContain('Ask an owner');
    expect(await asAda(`gw forget ${purchase} --dry-run`)).toMatchObject({ code: 0 });
  }, 120_000);
});
