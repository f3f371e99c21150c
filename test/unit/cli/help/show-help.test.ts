/** Every page of help: it is there, fits the width, begins with an example and breaks no word. */
import { describe, expect, test } from 'vitest';
import { GUIDES } from '../../../../src/cli/help/guides.ts';
import { commandWords } from '../../../../src/cli/help/help-data.ts';
import { GROUPS } from '../../../../src/cli/help/map.ts';
import { helpText } from '../../../../src/cli/help/show-help.ts';
import { helpSource, plainStyle } from '../../../helpers/help.ts';

const source = await helpSource();
const { commands, topics } = source.index;
const page = (topic: string, width?: number) =>
  helpText(topic.split(' ').filter(Boolean), source, plainStyle(width)) ?? '';

const ALL = [
  '',
  ...Object.keys(commands).map(commandWords),
  ...Object.keys(topics),
  ...Object.keys(GUIDES),
];

describe('the map', () => {
  test('the map gives the first word of every command, and no other, its one line', () => {
    const words = new Set(Object.keys(commands).map((id) => id.split(':')[0] ?? ''));
    expect(GROUPS.flatMap(([, names]) => names).toSorted()).toEqual([...words].toSorted());
    const lines = page('').split('\n');
    for (const word of words) {
      const meaning = topics[word] ?? commands[word];
      expect(
        lines.filter((line) => line.startsWith(`  ${word} `)).map((line) => line.slice(16)),
      ).toEqual([meaning]);
    }
  });

  test('the first steps of the map are commands that exist', () => {
    const named = [...page('').matchAll(/^ {2}gw ([a-z]+(?: [a-z]+)?)/gm)].map(([, name]) => name);
    expect(named).toEqual(['login', 'purchase create', 'help']);
    expect(
      named.filter(
        (name = '') => ![...Object.keys(commands).map(commandWords), 'help'].includes(name),
      ),
    ).toEqual([]);
  });
});

describe('every page', () => {
  test.each(ALL)('the page of "%s" fits the width and breaks no word', (topic) => {
    const words = new Set(page(topic, 400).split(/\s+/));
    for (const width of [40, 80, 120]) {
      // A command line goes on below, so that it can be copied.
      const text = page(topic, width).replace(/ \\$/gm, '  ');
      expect(text).not.toBe('');
      expect(text.split(/\s+/).filter((word) => !words.has(word))).toEqual([]);
      // A word, which is what quotes hold together, may be wider than a line.
      const isWide = (line: string) => line.length > width && !/^ *'[^']*' *$/.test(line);
      const wide = text.split('\n').filter((line) => width >= 80 && isWide(line));
      expect(wide).toEqual([]);
    }
  });

  test.each(Object.keys(commands))('the page of %s begins with an example', (id) => {
    const lines = page(commandWords(id)).split('\n');
    const first = lines.indexOf('');
    expect(lines[first + 1]).toContain(`gw ${commandWords(id)}`);
    const example = lines.slice(first + 1, lines.indexOf('Usage') - 1);
    expect(example.filter((line) => /^ {2}\S/.test(line))).toHaveLength(1);
  });

  test('rare flags come last, and required flags come first in their group', () => {
    const whole = page('purchase create');
    const text = whole.slice(whole.indexOf('Request'));
    const places = ['--amount', '--test-card', '--input', '--dry-run', '--no-journal', '-o'];
    const found = places.map((flag) => text.search(new RegExp(`${flag}[ ,\\n]`)));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(page('prune')).toMatch(/\nFlags\n {2}--before <time> .*?Required\./s);
  });

  test('an unknown topic has no page', () => {
    expect(helpText(['purchse'], source, plainStyle())).toBeUndefined();
    expect(helpText(['constructor'], source, plainStyle())).toBeUndefined();
  });
});

describe('the page of a command', () => {
  test.each(Object.keys(commands))('the details of %s are short paragraphs', (id) => {
    const paragraphs = source.command(id).description.split('\n\n');
    expect(paragraphs.filter(({ length }) => length > 500)).toEqual([]);
  });

  test('names the flags of every command in one line, and explains them in the guide', () => {
    const text = page('purchase list');
    expect(text).toMatch(/\nCommon flags\n {2}-o, --json, --fields, -q, /);
    expect(text).toContain('-p, --profile <name>     Only results of this profile.');
    expect(text).not.toContain('--jq');
    for (const flag of ['-p, --profile', '-o, --output', '-q, --jq', '--no-input', '--plain'])
      expect(page('flags')).toContain(flag);
  });

  test('names the fields of what it prints', () => {
    expect(page('purchase list', 400)).toContain('\n  id, authorization, card_number, ');
    const prints = Object.keys(commands).filter((id) => 'fields' in source.command(id).flags);
    const lacking = prints.filter((id) => source.command(id).fields.length === 0);
    expect(lacking).toEqual(['approve', 'get']);
  });

  test('lists the commands below it', () => {
    expect(page('tokenize')).toContain('\n  gw tokenize batch  Store many cards');
  });
});

test('the page of a command that creates a record names the one that creates many', () => {
  expect(page('customer create')).toContain('gw customer batch  Create many customers');
  expect(page('plan create')).not.toContain('Commands\n');
});
