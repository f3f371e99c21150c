/**
 * The home of a support desk after three months, as docs/three-months.sh makes it: it is 1 April 2026 by
 * the clock of the test gateway, a Wednesday, and this machine is in UTC. Ids are the same every
 * time.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PROGRAM } from './program.ts';
import { type Ended, run } from './run.ts';
import { scanFolder } from './scan.ts';

const SCRIPT = path.resolve('docs/three-months.sh');
/** In a home where it is, each `gw` writes its exit code there: a pipeline tells of its last program only. */
const CODES = 'exit-codes';

export interface Answer extends Ended {
  /** How every `gw` of the script ended. */
  codes: number[];
}

export interface SupportDesk {
  /** @returns a home of its own, as the three months left it */
  home(name: string): string;
  /** Runs a script by `sh -eu` in such a home, with the built gw on the path. */
  shell(home: string, script: string): Promise<Answer>;
  close(): void;
}

/** Takes as long as thirty commands and two thousand webhooks do. */
export async function openSupportDesk(): Promise<SupportDesk> {
  const root = mkdtempSync(path.join(tmpdir(), 'gw-support-desk-'));
  const bin = path.join(root, 'bin');
  const template = path.join(root, 'desk');
  for (const folder of [bin, template]) mkdirSync(folder);
  const gw = `"${process.execPath}" "${PROGRAM}" "$@"`;
  const wrapper = `#!/bin/sh
    codes="$HOME/${CODES}"
    test -e "$codes" || exec ${gw}
    ${gw}
    code=$?; echo $code >>"$codes"; exit $code`;
  writeFileSync(path.join(bin, 'gw'), `${wrapper}\n`, { mode: 0o755 });
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    GW_PROFILE: 'local',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
  const runIn = (home: string, script: string) =>
    run('sh', ['-eu', '-c', script], { cwd: home, env: { ...env, HOME: home }, input: '' });

  // Somebody who has a clone and installed nothing runs it: it finds the gw of its folder.
  const alone = { ...env, PATH: process.env.PATH, HOME: template };
  const { code, stderr } = await run('sh', [SCRIPT], { cwd: template, env: alone, input: '' });
  if (code !== 0) throw new Error(`exit ${code}: ${SCRIPT}\n${stderr}`);
  // The first search learns two thousand events, which each home would otherwise do for itself.
  await runIn(template, 'gw find 2346');

  return {
    home(name) {
      const home = path.join(root, name);
      cpSync(template, home, { recursive: true });
      writeFileSync(path.join(home, CODES), '');
      return home;
    },
    async shell(home, script) {
      writeFileSync(path.join(home, CODES), '');
      const ended = await runIn(home, script);
      const codes = readFileSync(path.join(home, CODES), 'utf8').trim();
      return { ...ended, codes: codes === '' ? [] : codes.split('\n').map(Number) };
    },
    close() {
      try {
        scanFolder(root);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
  };
}
