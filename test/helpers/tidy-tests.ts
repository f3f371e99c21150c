/** Rules of the tests that a machine can check: their titles, and which files have one of their own. */
import type { Source } from './tidy.ts';

const TITLE =
  /(?:\btest(?:\.(?!each|skipIf)\w+)*|\btest(?:\.\w+)*(?:<[^()]*>)?\((?:[^()]|\([^()]*\))*\)|^ *\]\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm;
const PLACEHOLDER = /^(?:%[-.\d]*[a-z]|\$[\w.]+)$/i;

/** @returns titles that are nothing but a value: `%s`, `$name` */
export function placeholderTitles({ path, text }: Source): string[] {
  return [...text.matchAll(TITLE)]
    .map(([, , title = '']) => title)
    .filter((title) => PLACEHOLDER.test(title))
    .map((title) => `${path}: a test is called ${title}`);
}

/**
 * @param tests paths of all files of the tests
 * @param elsewhere which test tries a file instead, by its path
 * @returns files over `mostLines` that have no test at their place in test/unit, nor one that is said to
 *   try them, and what is said in vain
 */
export function testlessFiles(
  sources: readonly Source[],
  tests: readonly string[],
  { mostLines, elsewhere }: { mostLines: number; elsewhere: Readonly<Record<string, string>> },
): string[] {
  const isTried = ({ path, text }: Source) =>
    text.split('\n').length <= mostLines + 1 ||
    tests.includes(path.replace(/^src/, 'test/unit').replace(/\.ts$/, '.test.ts'));
  const missing = sources.filter((source) => !isTried(source) && !elsewhere[source.path]);
  const inVain = Object.entries(elsewhere).filter(
    ([path, test]) =>
      !tests.includes(test) || sources.every((source) => source.path !== path || isTried(source)),
  );
  return [
    ...missing.map(({ path }) => `${path} has over ${mostLines} lines and no test at its place`),
    ...inVain.map(([path, test]) => `${path} is said to be tried by ${test} in vain`),
  ];
}
