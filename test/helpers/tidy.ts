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

/** @returns the first circle among the parts that import one another's values, or undefined */
export function circleOf(permissions: Readonly<Record<string, Permission>>): string[] | undefined {
  const done = new Set<string>();
  const visit = (part: string, trail: string[]): string[] | undefined => {
    if (trail.includes(part)) return [...trail.slice(trail.indexOf(part)), part];
    if (done.has(part)) return undefined;
    for (const next of permissions[part]?.parts ?? []) {
      const circle = visit(next, [...trail, part]);
      if (circle) return circle;
    }
    done.add(part);
    return undefined;
  };
  for (const part of Object.keys(permissions)) {
    const circle = visit(part, []);
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
