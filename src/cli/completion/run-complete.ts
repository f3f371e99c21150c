/**
 * Answers a shell: `gw __complete SHELL …`, which its script calls at each Tab.
 *
 * The answer is a line `:values` or `:files`, then a line for each value, with its meaning after a tab
 * for the shells that show one. Nothing is printed when anything goes wrong: a Tab does nothing then.
 *
 *     gw __complete bash 'gw purchase ge' "$COMP_WORDBREAKS"
 *     gw __complete zsh|fish|powershell =CURRENT WORD…
 */

import type { Host } from '../../host/host.ts';
import type { HelpSource } from '../help/help-data.ts';
import { complete } from './complete.ts';
import { knownHere } from './known-here.ts';
import {
  isTypeable,
  quoteForBash,
  quoteForPowerShell,
  type SplitLine,
  splitLine,
} from './shell-words.ts';
import type { Suggestion } from './sources.ts';

const MAX_MEANING = 70;

/** @param argv what follows `__complete` */
export async function runComplete(
  host: Pick<Host, 'env' | 'files' | 'stdout'>,
  argv: readonly string[],
  source: HelpSource,
): Promise<void> {
  const text = await answer(host, argv, source).catch(() => '');
  await host.stdout.write(text);
}

async function answer(
  { env, files }: Pick<Host, 'env' | 'files'>,
  [shell, ...rest]: readonly string[],
  source: HelpSource,
): Promise<string> {
  const asked = shell === 'bash' ? ofBash(rest) : ofWords(shell, rest);
  const completion = await complete(asked.words, asked.current, {
    source,
    known: knownHere(files, env),
  });
  if (completion.kind === 'files') return ':files\n';
  const lines = completion.candidates
    .filter(({ value }) => isTypeable(value))
    .flatMap((candidate) => lineFor(shell, candidate, asked));
  return [':values', ...lines].map((line) => `${line}\n`).join('');
}

function ofBash([line = '', breaks = '']: readonly string[]): SplitLine {
  const split = splitLine(line, breaks);
  const at = split.words.findIndex((word) => /(?:^|[\\/])gw$/.test(word));
  return { ...split, words: split.words.slice(at + 1) };
}

function ofWords(
  shell: string | undefined,
  [current = '', ...words]: readonly string[],
): SplitLine {
  const typed = current.replace(/^=/, '');
  // fish gives the word at the cursor as it is written, with its quotes.
  const bare = shell === 'fish' ? splitLine(typed, '').current : typed;
  return { words, current: bare, kept: 0, quote: '' };
}

function lineFor(shell: string | undefined, candidate: Suggestion, at: SplitLine): string[] {
  const { value } = candidate;
  if (shell === 'bash') {
    const text = quoteForBash(value.slice(at.kept), at.quote);
    return text === undefined ? [] : [text];
  }
  const text = shell === 'powershell' ? quoteForPowerShell(value) : value;
  const meaning = meaningOf(candidate);
  return [meaning === '' ? text : `${text}\t${meaning}`];
}

function meaningOf({ meaning }: Suggestion): string {
  const text = [...meaning].filter(isTypeable).join('').trim();
  return text.length > MAX_MEANING ? `${text.slice(0, MAX_MEANING - 1)}…` : text;
}
