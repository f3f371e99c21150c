/**
 * Rules of the source that a machine can check: who may import whom, and what only one place may
 * use. Works on any texts, so that the rules are tested as well.
 */
import path from 'node:path';

export interface Source {
  /** From the top of the repository, with slashes. */
  path: string;
  text: string;
}

export interface Import {
  /** A path from the top of the repository, or the name of a package. */
  to: string;
  isType: boolean;
  isDynamic: boolean;
}

/** Where a file belongs: its folder in `src`, or its own name at the top of it. */
function partOf(file: string): string {
  const [top, part = ''] = file.split('/');
  return top === 'src' ? part.replace(/\.ts$/, '') : file;
}

export function importsOf({ path: file, text }: Source): Import[] {
  const code = withoutComments(text);
  const found = [
    ...code.matchAll(/^(?:import|export)\s+(type\s)?([^;'"]*?)from\s+'([^']+)'/gm),
    ...code.matchAll(/^import\s+()()'([^']+)'/gm),
    ...code.matchAll(/\b(?:typeof\s+)?import\(\s*()()'([^']+)'/g),
  ];
  return found.map(([statement, type = '', names = '', specifier = '']) => ({
    to: specifier.startsWith('.')
      ? path.posix.normalize(`${path.posix.dirname(file)}/${specifier}`)
      : specifier,
    isType: type !== '' || hasOnlyTypes(names) || statement.startsWith('typeof'),
    isDynamic: statement.includes('import('),
  }));
}

/** `{ type A, type B }` imports nothing when the program runs. */
function hasOnlyTypes(names: string): boolean {
  const inner = /^\{(.*)\}\s*$/s.exec(names.trim())?.[1];
  const all = (inner ?? '').split(',').filter((name) => name.trim() !== '');
  return all.length > 0 && all.every((name) => /^\s*type\s/.test(name));
}

/** Comments become white space; texts and patterns stay. */
export function withoutComments(text: string): string {
  return text.replace(
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g,
    (found) => (found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found),
  );
}

/** What a part of the source may import: other parts, their types only, and packages. */
export interface Permission {
  parts?: readonly string[];
  types?: readonly string[];
  packages?: readonly string[];
}

/**
 * @param ground parts that everybody may import
 * @returns one line for every import that is not permitted
 */
export function importFaults(
  sources: readonly Source[],
  permissions: Readonly<Record<string, Permission>>,
  ground: readonly string[] = [],
): string[] {
  return sources.flatMap((source) => {
    const from = partOf(source.path);
    const permission = permissions[from];
    if (!permission) return [`${source.path}: nothing is known of ${from}`];
    const parts = [...(permission.parts ?? []), ...ground];
    return importsOf(source)
      .filter((found) => !isPermitted(from, { ...permission, parts }, found))
      .map(({ to, isType }) => `${source.path} imports ${isType ? 'a type of ' : ''}${to}`);
  });
}

function isPermitted(from: string, permission: Permission, { to, isType }: Import): boolean {
  const { parts = [], types = [], packages = [] } = permission;
  if (!/^(?:src\/|\.\.?\/|package\.json)/.test(to)) return packages.includes(to);
  const part = partOf(to);
  return part === from || parts.includes(part) || (isType && types.includes(part));
}

/** @returns the pairs of parts of which one imports the other, types included: `view → host` */
export function arrowsOf(sources: readonly Source[]): string[] {
  const arrows = sources.flatMap((source) =>
    importsOf(source)
      .filter(({ to }) => to.startsWith('src/') && partOf(to) !== partOf(source.path))
      .map(({ to }) => `${partOf(source.path)} → ${partOf(to)}`),
  );
  return [...new Set(arrows)].sort();
}

/**
 * Looks at each folder by itself: its files and folders must import one another without a circle. So
 * no files of different folders make one either.
 *
 * @returns one line for each folder with a circle of imports, types included: `src/a: b → c.ts → b`
 */
export function circlesOf(sources: readonly Source[]): string[] {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const source of sources) {
    for (const { to } of importsOf(source)) {
      const { folder, from, target } = parting(source.path, to);
      if (from === target || !to.startsWith('src/')) continue;
      const graph = graphs.get(folder) ?? new Map<string, Set<string>>();
      graphs.set(folder, graph.set(from, (graph.get(from) ?? new Set()).add(target)));
    }
  }
  return [...graphs]
    .map(([folder, graph]) => ({ folder, circle: circleIn(graph) }))
    .flatMap(({ folder, circle }) => (circle ? [`${folder}: ${circle.join(' → ')}`] : []))
    .sort();
}

/** @returns the deepest folder that two files have in common, and where in it each of them is */
function parting(file: string, other: string) {
  const one = file.split('/');
  const two = other.split('/');
  const depth = one.findIndex((step, i) => step !== two[i]);
  const at = depth === -1 ? one.length - 1 : depth;
  return { folder: one.slice(0, at).join('/'), from: one[at] ?? '', target: two[at] ?? '' };
}

/** @returns the first circle, which ends as it begins, or undefined */
function circleIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): string[] | undefined => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...trail, node]);
      if (circle) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return undefined;
}

export interface Ban {
  what: RegExp;
  /** What to do in its place, as an order: `use host.files`. */
  instead: string;
  /** Folders and files that may use it, with the reason in a comment where they are listed. */
  except: readonly string[];
}

/** @returns one line for every use of something where it is banned */
export function banFaults(sources: readonly Source[], bans: readonly Ban[]): string[] {
  return sources.flatMap(({ path: file, text }) => {
    const lines = withoutComments(text).split('\n');
    return bans
      .filter(
        ({ except }) => !except.some((place) => file === place || file.startsWith(`${place}/`)),
      )
      .flatMap(({ what, instead }) =>
        lines.flatMap((line, i) => {
          const found = what.exec(line);
          return found ? [`${file}:${i + 1} uses ${found[0]}: ${instead}`] : [];
        }),
      );
  });
}
