/** What `gw --version` prints, and the quickest way to print it. */
import { version } from '../../package.json';
import { writeWhole } from './files/write-whole.ts';

const STDOUT = 1;

export { version };

/** For example `gw/0.1.0 linux-x64 node-v22.11.0`. */
export const versionText = `gw/${version} ${process.platform}-${process.arch} node-${process.version}\n`;

/** @returns whether argv asks for the version, in any of the ways that people try, with whatever flags */
export function isVersion(argv: readonly string[]): boolean {
  const [word = '', ...rest] = argv;
  const isAlone = rest.every((flag) => flag.startsWith('-'));
  return isAlone && ['--version', '-v', '-V', 'version'].includes(word);
}

/**
 * Prints the version and ends the program, without a stream, which takes longer to make than all the
 * rest of this. Returns when it cannot be written, for the rest of the program to say why.
 */
export function printVersionAndExit(): void {
  try {
    writeWhole(STDOUT, Buffer.from(versionText));
  } catch {
    return;
  }
  process.exit(0);
}
