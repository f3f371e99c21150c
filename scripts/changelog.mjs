/**
 * Makes a release's section of CHANGELOG.md out of changes/*.md, and removes them. The first line of
 * each is what it changes for users (major, minor or patch), the rest is a sentence for them.
 *
 *     npm run changelog
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const SIZES = ['major', 'minor', 'patch'];
const FIRST_RELEASE = /^## /m;

const names = existsSync('changes') ? readdirSync('changes').sort() : [];
const changes = names.map((name) => {
  const [size = '', ...lines] = readFileSync(`changes/${name}`, 'utf8').trim().split('\n');
  const sentence = lines.join(' ').trim();
  if (!SIZES.includes(size) || !/^[A-Z`].*\.$/.test(sentence)) {
    throw new Error(`changes/${name} is not ${SIZES.join(', ')} in a line, and then a sentence`);
  }
  return { rank: SIZES.indexOf(size), sentence };
});
if (changes.length === 0) throw new Error('changes/ has nothing to release');

changes.sort((a, b) => a.rank - b.rank);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const parts = version.split('.').map(Number);
// Before 1.0.0 what breaks something raises the second number.
const raised = Math.max(changes[0]?.rank ?? 0, parts[0] === 0 ? 1 : 0);
const next = parts.map((/** @type {number} */ n, /** @type {number} */ i) =>
  i < raised ? n : i === raised ? n + 1 : 0,
);
const release = `## ${next.join('.')} (${new Date().toISOString().slice(0, 10)})`;
const section = [release, '', ...changes.map(({ sentence }) => `- ${sentence}`), '', ''].join('\n');
const changelog = readFileSync('CHANGELOG.md', 'utf8');
if (!FIRST_RELEASE.test(changelog)) throw new Error('CHANGELOG.md has no section to stand before');
writeFileSync(
  'CHANGELOG.md',
  changelog.replace(FIRST_RELEASE, (found) => section + found),
);
for (const name of names) rmSync(`changes/${name}`);
process.stdout.write(`Now: npm version --no-git-tag-version ${next.join('.')}\n`);
