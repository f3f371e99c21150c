/**
 * Where screens are played that look the same on every machine and at any time: a home of its own, the
 * built gw on the path, a clock that stands still, and no trace of the machine on the screen.
 */

import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, type Running, run, start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal, type Terminal } from '../helpers/terminal.ts';

const CLOCK = path.resolve('test/helpers/clock-of-file.cjs');
/** A Tuesday. */
const NOW = '2026-03-31T09:30:00Z';
const COLUMNS = 80;
/** So high that nothing is too long for it, and no pager is needed. */
const ROWS = 60;

/** Where a listener is on the screen; where it is, others may be. */
const LISTENER = '127.0.0.1:4242';

export interface Stage {
  terminal: Terminal;
  home: string;
  /** Prepares something, off the screen. @returns its stdout @throws Error when it fails */
  prepare(line: string): Promise<string>;
  /** Starts something off the screen, which goes on. */
  begin(line: string): Running;
  write(file: string, text: string): void;
  /** Moves the clock of every gw that runs here. */
  setClock(instant: string): void;
}

/** @param env what is said in the environment besides */
export async function openStage(env: NodeJS.ProcessEnv = {}): Promise<Stage> {
  const home = temporaryDirectory();
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  const clock = path.join(home, 'clock');
  const port = await freePort();
  writeFileSync(
    path.join(bin, 'gw'),
    `#!/bin/sh
    test "$1" = listen && set -- "$@" --port ${port}
    exec "${process.execPath}" --require "${CLOCK}" "${PROGRAM}" "$@"\n`,
    { mode: 0o755 },
  );
  const environment = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    GW_OPERATOR: 'ada@desk',
    GW_PROFILE: 'local',
    GW_TEST_CLOCK: clock,
    ...env,
  };
  const shownAs = new Map([
    [home, '/home/ada'],
    [`127.0.0.1:${port}`, LISTENER],
    [`port ${port}`, 'port 4242'],
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
    begin: (line) => start('sh', ['-c', `exec ${line}`], { cwd: home, env: environment }),
    async prepare(line) {
      const ended: Ended = await run('sh', ['-eu', '-c', line], { cwd: home, env: environment });
      if (ended.code !== 0) throw new Error(`exit ${ended.code}: ${line}\n${ended.stderr}`);
      return ended.stdout;
    },
    write: (file, text) => writeFileSync(path.join(home, file), text),
    setClock: (instant) => stage.write('clock', instant),
  };
  stage.setClock(NOW);
  return stage;
}

/** @returns a port of this machine that nobody has, a moment ago */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
