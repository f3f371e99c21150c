/** The output of `gw --version`, and the fastest way to print it. */
import { version } from '../../package.json';
import { writeWhole } from './files/write-whole.ts';

const STDOUT = 1;

export { version };

/** For example `gw/0.1.0 linux-x64 node-v22.11.0`. */
export const versionText = `gw/${version} ${process.platform}-${process.arch} node-${process.version}\n`;

/** @returns whether argv asks for the version, in any form that people try, with any flags */
export function isVersion(argv: readonly string[]): boolean {
  const [word = '', ...rest] = argv;
  const isAlone = rest.every((flag) => flag.startsWith('-'));
  return isAlone && ['--version', '-v', '-V', 'version'].includes(word);
}

/**
 * Prints the version and ends the program, without a stream, which would take longest to create. Returns if the version
 * cannot be written, so that the rest of the program reports why.
 */
export function printVersionAndExit(): void {
  try {
    writeWhole(STDOUT, Buffer.from(versionText));
  } catch {
    return;
  }
  process.exit(0);
}
