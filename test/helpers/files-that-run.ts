/** Which files of `src` the built program runs, by functions that are called in them, in the order of the first calls. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { run } from './run.ts';
import { temporaryDirectory } from './temporary.ts';

/** Part of a syntax tree, as far as it is looked at. */
interface Node {
  type: string;
  start: number;
  end: number;
}

/** Makes a copy of the built program that writes down each file of `src` when a function of it is first called. */
export function tracedProgram() {
  const root = temporaryDirectory();
  cpSync('dist', path.join(root, 'dist'), { recursive: true });
  cpSync('bin', path.join(root, 'bin'), { recursive: true });
  cpSync('package.json', path.join(root, 'package.json'));
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  const files = readdirSync(path.join(root, 'dist'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.cjs.map')))
    trace(path.join(root, 'dist', file.slice(0, -'.map'.length)));
  const said = path.join(root, 'said');
  const preload = path.join(root, 'preload.cjs');
  writeFileSync(
    preload,
    `const { appendFileSync } = require('node:fs');
    const seen = new Set();
    globalThis.ran = (file) => {
      if (!seen.has(file)) appendFileSync(${JSON.stringify(said)}, file + '\\n');
      seen.add(file);
    };`,
  );
  return async (argv: readonly string[], home: string): Promise<string[]> => {
    mkdirSync(home, { recursive: true });
    writeFileSync(said, '');
    const program = path.join(root, 'bin', 'gw.cjs');
    const env = { PATH: process.env.PATH, HOME: home };
    const { code, stderr } = await run(process.execPath, ['-r', preload, program, ...argv], {
      env,
    });
    if (code !== 0) throw new Error(`gw ${argv.join(' ')} ended with ${code}: ${stderr}`);
    return readFileSync(said, 'utf8').trimEnd().split('\n');
  };
}

/** Has every function of a built file say, when it is called, which file it is of. */
function trace(file: string): void {
  const code = readFileSync(file, 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  const lineStarts = [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const insertions: [at: number, text: string][] = [];
  for (const { start, body } of functionsIn(parseAst(code, { lang: 'js' }))) {
    const line = lineStarts.findLastIndex((at) => at <= start);
    const entry = map.findEntry(line, start - (lineStarts[line] ?? 0));
    if (!('originalSource' in entry) || entry.generatedLine !== line) continue;
    const source = /(?:^|\/)(src\/.*\.ts)$/.exec(entry.originalSource)?.[1];
    if (source === undefined) continue;
    const said = `ran(${JSON.stringify(source)})`;
    if (body.type === 'BlockStatement') insertions.push([body.start + 1, `${said};`]);
    else insertions.push([body.start, `(${said},`], [body.end, ')']);
  }
  insertions.sort(([one], [other]) => other - one);
  let traced = code;
  for (const [at, text] of insertions) traced = traced.slice(0, at) + text + traced.slice(at);
  writeFileSync(file, traced);
}

interface FunctionNode {
  start: number;
  body: Node;
}

function functionsIn(value: unknown): FunctionNode[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(functionsIn);
  return isFunction(value) ? [value, ...inner] : inner;
}

function isFunction(value: object): value is FunctionNode {
  return 'type' in value && /^(?:Arrow)?Function/.test(String(value.type)) && 'body' in value;
}
