/** Starts a program of gw's own that nobody waits for, without a terminal and without secrets. */
import { spawn } from 'node:child_process';

/** What such a program may know of its surroundings. */
const PASSED_ON = ['HOME', 'PATH', 'NODE_EXTRA_CA_CERTS', 'SYSTEMROOT'];
const RUN = 'require(process.argv[1]).run(process.argv.slice(2))';

/** @param file of `dist`, whose `run` is given the arguments. That it cannot be started is nothing to anybody */
export function detach(file: string, args: readonly string[], env = process.env): void {
  const known = PASSED_ON.map((name): [string, string | undefined] => [name, env[name]]);
  const child = spawn(process.execPath, ['-e', RUN, file, ...args], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: Object.fromEntries(known.filter(([, value]) => value !== undefined)),
  });
  child.on('error', () => undefined);
  child.unref();
}
