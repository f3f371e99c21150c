/**
 * Asks of each file of `src` with more than 100 lines which tests hold it. The test of `src/a/x.ts`, and of
 * `src/a/x.command.ts`, is `test/unit/a/x.test.ts`. A file without it ends its head with a line that names others:
 *
 *      * Tests: test/unit/a/cases.ts, test/scripts/commands/y.script
 *
 *     npm run check
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const MOST_LINES = 100;
/** The last line of the comment that begins a file, or its last two. */
const NAMED = /^\/\*\*\n(?: \*.*\n)*? \* Tests: (.{1,109}(?:\n \* .{1,117})?)\n \*\//;

const faults = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .sort()
  .flatMap(faultsOf);
process.stderr.write(faults.map((fault) => `${fault}\n`).join(''));
process.exitCode = faults.length === 0 ? 0 : 1;

/** @param {string} file */
function faultsOf(file) {
  const code = readFileSync(file, 'utf8');
  const mirror = file.replace(/^src(.*?)(?:\.command)?\.ts$/, 'test/unit$1.test.ts');
  const [, named] = NAMED.exec(code) ?? [];
  if (named === undefined) {
    const isHeld = code.split('\n').length - 1 <= MOST_LINES || existsSync(mirror);
    return isHeld ? [] : [`${file}: neither ${mirror} nor a last line "Tests: …" of its head`];
  }
  return named
    .split(/,(?: |\n \* )/)
    .filter((test) => !/^test\/\S+$/.test(test) || !existsSync(test))
    .map((test) => `${file}: its head names ${test}, which does not exist`);
}
