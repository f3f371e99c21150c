/** Commands that are run in turn, so that whatever else the machine does falls on all of them alike. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { median } from './gateway.mjs';

/**
 * @typedef {object} Timed
 * @property {number} medianMs
 * @property {number} bestMs
 * @property {number | undefined} cpuMs processor time of one run, their mean, where /proc tells it
 */

/** Of Linux, where a tick of /proc is the same everywhere. */
const MS_PER_TICK = 10;
const OWN_TIMES = '/proc/self/stat';

/**
 * @param {readonly (readonly string[])[]} commands
 * @param {{ rounds: number, env: Record<string, string | undefined>, cwd: string }} options
 * @returns {Timed[]} one of each command. The first two rounds are not counted: they fill caches
 * @throws Error when one of the commands fails
 */
export function alternate(commands, { rounds, env, cwd }) {
  const all = commands.map(() => ({ ms: /** @type {number[]} */ ([]), cpuMs: 0 }));
  for (let round = -2; round < rounds; round++) {
    commands.forEach(([program = '', ...args], i) => {
      const cpuBefore = cpuOfChildrenMs();
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(program, args, { env, cwd, stdio: 'pipe' });
      const ms = performance.now() - startedAt;
      if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
      const times = all[i];
      if (round < 0 || !times) return;
      times.ms.push(ms);
      times.cpuMs += cpuOfChildrenMs() - cpuBefore;
    });
  }
  return all.map(({ ms, cpuMs }) => ({
    medianMs: median(ms),
    bestMs: Math.min(...ms),
    cpuMs: existsSync(OWN_TIMES) ? cpuMs / rounds : undefined,
  }));
}

/** @returns {number} what all processes that this one has waited for took; 0 where nothing tells it */
function cpuOfChildrenMs() {
  if (!existsSync(OWN_TIMES)) return 0;
  // After the name, which may have anything in it: the 14th and 15th are user and system time of children.
  const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(OWN_TIMES, 'utf8')) ?? [];
  const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number);
  return (user + system) * MS_PER_TICK;
}
