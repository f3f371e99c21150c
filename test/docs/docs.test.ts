/**
 * The command reference in docs/ is what the commands say. `npm run docs` writes it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands, examplesOf, oclif, typed } from './manifest.ts';
import { MARK, referencePages } from './reference.ts';

const FOLDER = 'docs';
const MOST_EXAMPLES = 3;

describe('every command', () => {
  test('every command has a summary of one line', () => {
    const lacking = commands.filter(
      ({ summary }) => !/^[A-Z][^\n]{5,69}[^\n.]$/.test(summary ?? ''),
    );
    expect(lacking.map(typed)).toEqual([]);
  });

  test('every command has a description in sentences', () => {
    const lacking = commands.filter(
      ({ description }) => !/^(?:[A-Z`]|gw ).{20,}\.$/s.test(description ?? ''),
    );
    expect(lacking.map(typed)).toEqual([]);
  });

  test('every command has two or three examples, which run it', () => {
    const lacking = commands.filter((command) => {
      const examples = examplesOf(command);
      return (
        examples.length < 2 ||
        examples.length > MOST_EXAMPLES ||
        !examples.every((line) => line.includes(typed(command)))
      );
    });
    expect(lacking.map(typed)).toEqual([]);
  });

  test('every command describes each argument and each flag', () => {
    const lacking = commands.flatMap((command) =>
      [...Object.values(command.args), ...Object.values(command.flags)]
        .filter(({ description }) => !/^[A-Z`].*\.$/.test(description ?? ''))
        .map(({ name }) => `${typed(command)}: ${name}`),
    );
    expect(lacking).toEqual([]);
  });

  test('every command is in a topic that is described', () => {
    const topics = commands.flatMap(({ id }) =>
      id
        .split(':')
        .slice(0, -1)
        .map((_word, n, words) => words.slice(0, n + 1).join(':')),
    );
    expect(Object.keys(oclif.topics).sort()).toEqual([...new Set(topics)].sort());
  });
});

describe('docs/', () => {
  const pages = referencePages();

  test.each([...pages])('%s is fresh; `npm run docs` writes it', async (name, text) => {
    await expect(text).toMatchFileSnapshot(path.resolve(FOLDER, name));
  });

  test('docs/ has no page of a removed command', () => {
    const left = readdirSync(FOLDER)
      .filter((name) => name.endsWith('.md') && !pages.has(name))
      .filter((name) => readFileSync(path.join(FOLDER, name), 'utf8').startsWith(MARK));
    expect(left).toEqual([]);
  });
});
