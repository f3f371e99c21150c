/**
 * Prints every text that gw can print, by folder, each once, to be read from top to bottom, aloud.
 *
 *     npm run words > words.txt
 *     npm run words -- client contract
 */
import { readdirSync, readFileSync } from 'node:fs';
import { textsOf } from './texts.mjs';

const wanted = process.argv.slice(2);
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'))
  .filter((name) => wanted.length === 0 || wanted.includes(name.split('/')[0] ?? ''))
  .sort();

/** @type {Map<string, string[]>} where each text stands */
const places = new Map();
for (const file of files)
  for (const { line, text } of textsOf(readFileSync(`src/${file}`, 'utf8')))
    places.set(text, [...(places.get(text) ?? []), `src/${file}:${line}`]);

const { oclif } = JSON.parse(readFileSync('package.json', 'utf8'));
if (wanted.length === 0)
  for (const [topic, { description }] of Object.entries(oclif.topics))
    places.set(description, [`topics/${topic}`]);

let heading = '';
for (const [text, [place = '', ...others]] of places) {
  const folder = place.split('/').slice(0, -1).join('/');
  if (folder !== heading) process.stdout.write(`\n## ${folder}\n\n`);
  heading = folder;
  const more = others.length === 0 ? '' : ` (+${others.length})`;
  process.stdout.write(`${place.slice(folder.length + 1)}${more}  ${text}\n`);
}
process.stderr.write(`${places.size} texts\n`);
