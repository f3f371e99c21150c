/**
 * A stage for screens that look the same on every machine and at any time: a home of its own, the
 * built gw on the path, a clock that stands still, and no trace of the machine on the screen.
 */

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { onTestFailed, onTestFinished } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, type Running, run, start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal, type Terminal } from '../helpers/terminal.ts';

const CLOCK = path.resolve('test/helpers/clock-of-file.cjs');
/** A Tuesday. */
export const NOW = '2026-03-31T09:30:00Z';
const COLUMNS = 80;
/** High enough for every output, so that no pager is needed. */
const ROWS = 60;

/**
 * The shown home and port, instead of those of this machine. Lines are broken by the
 * lengths of the real ones, so these are as long.
 */
const HOME = { prefix: '/tmp/gw', shown: '/home/support' };
const PORTS = { first: 4300, last: 4999, listener: '4242', gateway: '4010' };

export interface Stage {
  terminal: Terminal;
  home: string;
  /** Free for a gateway; on the screen it is the usual one. */
  gatewayPort: number;
  /** Prepares something, off the screen. @returns its stdout @throws Error when it fails */
  prepare(line: string): Promise<string>;
  /** Starts something off the screen, which goes on until the end of the test. */
  begin(line: string): Running;
  write(file: string, text: string): void;
  /** Moves the clock of every gw that runs here. */
  setClock(instant: string): void;
}

/** @param profile in use */
export async function openStage(profile: string): Promise<Stage> {
  const home = temporaryDirectory(HOME.prefix);
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  const clock = path.join(home, 'clock');
  const listener = await freePort(PORTS.first);
  const gateway = await freePort(listener + 1);
  writeFileSync(
    path.join(bin, 'gw'),
    `#!/bin/sh
    test "$1" = listen && set -- "$@" --port ${listener}
    exec "${process.execPath}" --require "${CLOCK}" "${PROGRAM}" "$@"\n`,
    { mode: 0o755 },
  );
  const environment = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    GW_OPERATOR: 'ada@desk',
    GW_PROFILE: profile,
    GW_TEST_CLOCK: clock,
  };
  const shownAs = new Map([
    [home, HOME.shown],
    [`127.0.0.1:${listener}`, `127.0.0.1:${PORTS.listener}`],
    [`port ${listener}`, `port ${PORTS.listener}`],
    [`127.0.0.1:${gateway}`, `127.0.0.1:${PORTS.gateway}`],
  ]);
  const terminal = openTerminal({
    columns: COLUMNS,
    rows: ROWS,
    cwd: home,
    env: environment,
    shownAs,
  });
  const stage: Stage = {
    terminal,
    home,
    gatewayPort: gateway,
    begin(line) {
      const running = start('sh', ['-c', `exec ${line}`], { cwd: home, env: environment });
      onTestFinished(async () => {
        running.child.kill();
        await running.ended;
      });
      return running;
    },
    async prepare(line) {
      const ended: Ended = await run('sh', ['-eu', '-c', line], { cwd: home, env: environment });
      if (ended.code !== 0) throw new Error(`exit ${ended.code}: ${line}\n${ended.stderr}`);
      return ended.stdout;
    },
    write: (file, text) => writeFileSync(path.join(home, file), text),
    setClock(instant) {
      // Whole at any moment, since a program may read it at this one.
      stage.write('clock.next', instant);
      renameSync(`${clock}.next`, clock);
    },
  };
  onTestFinished(() => terminal.close());
  // A scene that waits for what never comes says nothing else.
  onTestFailed(() => void process.stderr.write(`${terminal.text().join('\n')}\n`));
  stage.setClock(NOW);
  return stage;
}

/** @returns a line that makes a profile, of the environment that is its name; its account is TEST */
export function profileOf(name: string, url: string): string {
  const credentials = '{\\"username\\":\\"TEST\\",\\"apiToken\\":\\"TEST\\"}';
  return `gw profile set ${name} --environment ${name} --base-url ${url} --currency AUD --credential-command 'echo ${credentials}'`;
}

/** @returns the first port from a number on that nobody has at this moment */
async function freePort(from: number): Promise<number> {
  for (let port = from; port <= PORTS.last; port++) {
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${from} to ${PORTS.last} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
