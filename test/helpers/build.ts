/**
 * Before the tests that run the built program: builds it when it is missing or older than its
 * sources, so that they never judge a program of yesterday. GW_PROGRAM names another copy to judge.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Written last by a build. */
const BUILT = 'oclif.manifest.json';
const SOURCES = ['src', 'scripts', 'package.json', 'rolldown.config.mjs'];

export default function buildWhereNeeded(): void {
  if (process.env.GW_PROGRAM || (existsSync('dist/main.cjs') && builtAt() > changedAt())) return;
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function builtAt(): number {
  return existsSync(BUILT) ? statSync(BUILT).mtimeMs : 0;
}

/** Folders count too: a file that was removed changes nothing else. */
function changedAt(): number {
  const inside = SOURCES.flatMap((source) =>
    statSync(source).isDirectory()
      ? readdirSync(source, { recursive: true, encoding: 'utf8' }).map((name) =>
          path.join(source, name),
        )
      : [],
  );
  return Math.max(...[...SOURCES, ...inside].map((file) => statSync(file).mtimeMs));
}
