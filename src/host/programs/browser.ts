/**
 * Opens a file in the user's browser. An address with a secret is never an argument: every user of the machine can read
 * those. So the file leads to it.
 */
import { environmentOfPrograms } from '../secret-variables.ts';

/** The program that opens a file, by the system. */
const OPENERS: Readonly<
  Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>
> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const OF_OTHERS = ['xdg-open'] as const;

/** @returns whether a program was started that opens files; not whether a browser is there */
export async function openFile(path: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? OF_OTHERS;
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(program, [...args, path], {
      env: environmentOfPrograms(),
      detached: true,
      stdio: 'ignore',
    });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}
