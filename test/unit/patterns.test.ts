/**
 * Every pattern of the source takes time that grows as its text does, whatever the text is: gw reads what
 * others send, and no time limit and no Ctrl-C ends a pattern that is busy. A parser finds the patterns, and
 * `recheck` looks for a text that one of them takes longer for.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkSync } from 'recheck';
import { parseAst } from 'rolldown/parseAst';
import { afterEach, expect, test, vi } from 'vitest';

interface Pattern {
  source: string;
  flags: string;
}

const FILES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.ts'));

/** Literals by where they are, and the number of patterns that are made of texts. */
function patternsIn(file: string) {
  const text = readFileSync(file, 'utf8');
  const literals: (Pattern & { place: string })[] = [];
  let made = 0;
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, regex, callee, start } = node as Record<string, unknown>;
    if (type === 'Literal' && regex) {
      const { pattern, flags } = regex as { pattern: string; flags: string };
      const line = text.slice(0, Number(start)).split('\n').length;
      literals.push({ source: pattern, flags, place: `${file}:${line}` });
    }
    const isCall = type === 'NewExpression' || type === 'CallExpression';
    if (isCall && (callee as { name?: string }).name === 'RegExp') made++;
    Object.values(node).forEach(walk);
  };
  walk(parseAst(text, { lang: 'ts' }, file));
  return { literals, made };
}

/** @returns the patterns that are made of texts while files are loaded, by file */
async function madePatterns(files: readonly string[]): Promise<Map<string, Pattern[]>> {
  const made = new Map<string, Pattern[]>(files.map((file) => [file, []]));
  vi.resetModules();
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct(target, args: [string, string?], newTarget) {
        const pattern = Reflect.construct(target, args, newTarget) as RegExp;
        const [, , caller = ''] = String(new Error().stack).split('\n');
        const file = files.find((name) => caller.replaceAll('\\', '/').includes(name));
        if (file !== undefined) made.get(file)?.push(pattern);
        return pattern;
      },
    }),
  );
  for (const file of files) await import(resolve(file));
  return made;
}

afterEach(() => void vi.unstubAllGlobals());

/** By steps alone: a limit of time would find other things on a busy machine. */
const LIMITS = {
  timeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  seedingTimeout: null,
} as const;

/** @returns what the checker says of a pattern; undefined of one that is linear */
function faultOf({ source, flags }: Pattern): string | undefined {
  const found = checkSync(source, flags, LIMITS);
  if (found.status === 'safe') return undefined;
  const what = found.status === 'vulnerable' ? found : undefined;
  return `/${source}/${flags} is ${what?.complexity.summary ?? found.status}: ${what?.attack.pattern}`;
}

/** The checker computes for a minute or two, and longer where others compute too. */
test('every pattern takes linear time', { timeout: 900_000 }, async () => {
  const found = FILES.map((file) => ({ file, ...patternsIn(file) }));
  const literals = found.flatMap((one) => one.literals);
  expect(literals.length).toBeGreaterThan(300);
  const faults = literals.flatMap((pattern) => {
    const fault = faultOf(pattern);
    return fault === undefined ? [] : [`${pattern.place}: ${fault}`];
  });

  const makers = found.filter(({ made }) => made > 0);
  const made = await madePatterns(makers.map(({ file }) => file));
  for (const { file, made: count } of makers) {
    const patterns = made.get(file) ?? [];
    expect(patterns.length, `${file} makes patterns after it is loaded`).toBeGreaterThanOrEqual(
      count,
    );
    faults.push(...patterns.flatMap((one) => faultOf(one) ?? []).map((one) => `${file}: ${one}`));
  }
  expect(faults).toEqual([]);
});

test.each([
  [/\beyJ[\w-]+(?:\.[\w-]*){2,4}/g, 'polynomial'],
  [/(a+)+$/, 'exponential'],
])('the checker finds that %s is %s', ({ source, flags }, what) => {
  expect(faultOf({ source, flags })).toContain(what);
});
