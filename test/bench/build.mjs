/** Builds the program of another commit, beside which this one is measured. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** @param {string} name @returns {string} the folder where the commit is built */
export function build(name) {
  const sha = execFileSync('git', ['rev-parse', '--verify', `${name}^{commit}`], {
    encoding: 'utf8',
  }).trim();
  const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'gw-bench');
  const target = path.join(cache, sha);
  if (existsSync(target)) return target;
  process.stdout.write(`Building ${sha.slice(0, 10)} ...\n`);
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(path.join(cache, 'new-'));
  const files = execFileSync('git', ['archive', sha], { maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', aside], { input: files });
  // npm runs the script `prepare`, which builds.
  execFileSync('npm', ['ci'], { cwd: aside, stdio: 'ignore' });
  renameSync(aside, target);
  return target;
}
