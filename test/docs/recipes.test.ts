/**
 * No recipe passes the results of a search to a command that moves money, changes or destroys: a search for `N-19` also
 * finds N-190. Pages, help and guides are read. Pages name only commands that exist.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GUIDES } from '../../src/cli/help/guides.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { commands, description, examplesOf, oclif } from './manifest.ts';

const KINDS = 'purchase|refund|customer|subscription|journal|events';
/** Commands that search by parts of words. A list with a full --reference is none. */
const SEARCH = new RegExp(
  `\\bgw\\s+(?:find\\b|(?:${KINDS})\\s+list\\b(?!(?:"[^"]*"|'[^']*'|[^|;&)<>])*--reference))`,
);
/** Commands of gw that only look. */
const LOOKS = /^(?:get|find|history|explain|receipt|report|doctor|whoami|help|completion)$/;
const LOOKS_AT = /^(?:get|list|show|status|cards)$/;

/** @returns whether a command line has a command of gw that does more than look */
function changes(line: string): boolean {
  return [...line.matchAll(/\bgw\s+([a-z-]+)(?:\s+([A-Za-z-]+))?/g)].some(
    ([, topic = '', verb = '']) => {
      // The reader's own application gets events again, and no record changes.
      if (topic === 'events' && verb === 'resend') return false;
      if (topic === 'api') return verb !== 'GET' && verb !== 'get';
      return !LOOKS.test(topic) && !LOOKS_AT.test(verb);
    },
  );
}

/** @returns what in a piece of shell hands found records on; a variable and a file carry them to later lines */
function handedOn(shell: string): string[] {
  const lines = shell
    .replace(/\\\n/g, ' ')
    .replace(/\bgw\s+(?:(?:-p|-o|--profile|--output)[= ]\S+\s+|-\S+\s+)+/g, 'gw ')
    .split('\n');
  const carriers: string[] = [];
  return lines.filter((line) => {
    const isFed = SEARCH.test(line) && /\||\$\(|`|<\(/.test(line.replace(/^[\w-]+=/, ''));
    const isCarried = carriers.some((name) => line.includes(name));
    const [, variable] = /\b(?:for\s+)?(\w+)(?:=["']?(?:\$\(|`)|\s+in\s+\$\()/.exec(line) ?? [];
    const [, file] = />\s*([\w./-]+)/.exec(line) ?? [];
    if (SEARCH.test(line) || isCarried)
      carriers.push(
        ...(variable ? [`$${variable}`, `\${${variable}`] : []),
        ...(file ? [file] : []),
      );
    return changes(line) && (isFed || isCarried);
  });
}

/** @returns each piece of code of a page: blocks whole, and what stands in a sentence */
function codeOf(page: string): string[] {
  const blocks = [...page.matchAll(/^```[^\n]*\n(.*?)^```$/gms)].map(([, code = '']) => code);
  const prose = page.replace(/^```[^\n]*\n.*?^```$/gms, '');
  const indented = [...prose.matchAll(/(?:^ {4}.*\n)+/gm)].map(([code]) => code);
  const spans = [...prose.matchAll(/``(.+?)``|`([^`]+)`/gs)].map(
    ([, two, one]) => two ?? one ?? '',
  );
  return [...blocks, ...indented, ...spans];
}

/** Folder by folder, whatever is a page. */
function pages(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return folder === '.' && entry.name !== 'docs' ? [] : pages(path);
    return path.endsWith('.md') ? [path] : [];
  });
}

const PAGES = pages('.');

test.each(PAGES)('%s passes no search by parts to a command that changes something', (page) => {
  expect(codeOf(readFileSync(page, 'utf8')).flatMap(handedOn)).toEqual([]);
});

const IDS = [...commands.map(({ id }) => id), 'help', 'version', '__complete'];
const TOPICS = Object.keys(oclif.topics);

/** @returns the beginning of each command line of gw that no command has */
function noCommands(code: string): string[] {
  const lines = [...code.matchAll(/(?:^|[|(;] ?|\$ )gw((?: [a-z][a-z_-]*)+)(?![\w-])/gm)];
  return lines
    .map(([, words = '']) => words.trim().split(' '))
    .filter(([one = '', two = '', three = '']) => {
      if (IDS.includes(one)) return false;
      if (!TOPICS.includes(one)) return true;
      const id = `${one}:${two}`;
      return two !== '' && !IDS.includes(id) && !IDS.includes(`${id}:${three}`);
    })
    .map((words) => words.join(' '));
}

/** It also tells of commands that are gone. */
const HISTORY = 'CHANGELOG.md';

test.each(PAGES.filter((page) => page !== HISTORY))('%s names only commands that exist', (page) => {
  // Help is prose in a block of text. Its own tests hold it to the commands.
  const text = readFileSync(page, 'utf8').replace(/^```text\n.*?^```$/gms, '');
  const code = codeOf(text).map((part) => part.replace(/(?<=gw [a-z ]*)\n(?!gw )/g, ' '));
  expect(code.flatMap(noCommands)).toEqual([]);
});

test('the check finds a command that does not exist', () => {
  expect(noCommands('gw batch delete B1; gw purchase get X | gw nosuch')).toEqual([
    'batch delete',
    'nosuch',
  ]);
  expect(noCommands('gw help money; gw emulator hooks add URL; gw purchase')).toEqual([]);
});

test('no help passes a search by parts to a command that changes something', () => {
  const texts = commands.map((command) => `${command.description}`);
  const examples = commands.flatMap(examplesOf);
  const guides = Object.values(GUIDES).flatMap(({ parts }) =>
    parts.flatMap((part) => [...codeOf(part.text ?? ''), ...(part.commands ?? [])]),
  );
  const all = [...[description, ...texts].flatMap(codeOf), ...examples, ...guides];
  expect(all.flatMap(handedOn)).toEqual([]);
});

test('no message passes a search by parts to a command that changes something', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`src/${name}`, 'utf8'));
  const lines = sources.flatMap((text) => text.replaceAll('`', '"').split('\n'));
  expect(lines.flatMap(handedOn)).toEqual([]);
});

describe('the check for recipes', () => {
  const MONEY = OPERATIONS.filter(({ effect }) => effect !== 'read').map(({ name }) => name);

  test.each(MONEY)('reports a search that is passed to %s', (name) => {
    expect(handedOn(`gw find N-19 -o id | xargs -n1 gw ${name}`)).toHaveLength(1);
  });

  test.each([
    'gw purchase list N-19 -o id | xargs -n1 gw refund create --full --transaction-id',
    'gw purchase list --since today -o id | xargs -n1 gw refund create --full',
    'gw refund create --transaction-id "$(gw find WEB-3052 --kind purchase -o id)" --amount 4500',
    'gw customer delete `gw customer list siobhan -o id`',
    'gw -p local find ada -o jsonl | jq -c . | gw refund batch -',
    'gw find ada \\\n  -o id | gw customer delete -',
    'for id in $(gw find ada -o id); do gw subscription stop $id; done',
    'ID=$(gw find ada -o id)\ngw subscription stop "$ID"',
    'gw find ada -o jsonl > rows.jsonl\ngw refund batch rows.jsonl',
    'gw find ada -o jsonl > rows.jsonl\njq -c . rows.jsonl > more.jsonl\ngw refund batch more.jsonl',
    'while read -r id; do gw refund create $id; done < <(gw find ada -o id)',
    'gw find ada -o id | xargs -n1 gw api POST /v1.0/refunds',
    'gw journal list ada -o id | xargs -n1 gw journal resolve --as done',
    'gw find ada -o id | xargs gw forget',
  ])('reports %s', (shell) => {
    expect(handedOn(shell)).not.toEqual([]);
  });

  test.each([
    'gw find 2346 --kind purchase -o id | gw get -',
    'gw subscription list -o id | gw subscription get -',
    'gw refund create --transaction-id "$(gw purchase list --reference WEB-3052 -o id)" --full',
    'gw purchase list --profile local --reference "N 19" -o id | xargs gw refund create --full',
    'gw purchase get -o jsonl - < ids.txt | jq -c . | gw refund batch -',
    'gw find siobhan\ngw customer delete 071-C-IE49OSAF',
    'gw find --kind subscription -o id | gw get - -o jsonl > subscriptions.jsonl\ngw doctor',
    'gw journal show $(gw journal list --limit 1 -o id)',
    'gw find ada -o id | xargs -n1 gw api GET /v1.0/purchases',
    'gw refund batch refunds.csv',
  ])('accepts %s', (shell) => {
    expect(handedOn(shell)).toEqual([]);
  });
});
