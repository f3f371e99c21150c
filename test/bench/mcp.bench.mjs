/**
 * Measures `gw mcp` while nobody asks: the CPU of ten seconds, beside that of its start and first answer. On Linux alone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PROGRAM } from './gateway.mjs';

const SETTLE_MS = 15_000;
const IDLE_MS = 10_000;
const FIRST = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  },
};

const home = mkdtempSync(path.join(tmpdir(), 'gw-bench-mcp-'));

const child = spawn(process.execPath, [PROGRAM, 'mcp', '--profile', 'local'], {
  env: { PATH: process.env.PATH, HOME: home },
  stdio: ['pipe', 'pipe', 'inherit'],
});
child.stdin.write(`${JSON.stringify(FIRST)}\n`);
await once(child.stdout, 'data');
// Within this time the engine has tidied up what the start left.
await setTimeout(SETTLE_MS);
const start = ticks();
await setTimeout(IDLE_MS);
const idle = ticks() - start;
child.stdin.end();
await once(child, 'exit');
rmSync(home, { recursive: true, force: true });
process.stdout.write(
  `start ${start} ticks, ${IDLE_MS / 1000} s without a question ${idle} ticks: ${(idle / start).toFixed(3)}\n`,
);
if (idle > 0) process.exitCode = 1;

/** @returns user and system time of the program, in ticks of the kernel (proc_pid_stat(5), fields 14 and 15) */
function ticks() {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
