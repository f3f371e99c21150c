/** The page of bare `gw`: where to begin, and a line for the first word of every command, in groups. */
import type { HelpIndex } from './help-data.ts';
import { type Entry, entries, paragraph, type Style, section, termColumn } from './layout.ts';

const FIRST_STEPS: readonly Entry[] = [
  ['gw login', 'set your gateway up: it asks for what it needs'],
  ['gw purchase create -p local', 'or try it without one: the gateway is built in'],
  ['gw help WORDS', 'find out how: `gw help expired cards`'],
];

/** Every first word of a command, by purpose. */
export const GROUPS: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['Payments', ['purchase', 'refund', 'tokenize']],
  ['What a second person sends', ['proposals', 'approve', 'reject']],
  [
    'Find and report',
    ['desk', 'get', 'find', 'history', 'explain', 'report', 'receipt', 'reconcile'],
  ],
  ['Subscriptions (deprecated in the gateway)', ['customer', 'plan', 'subscription']],
  ['Webhooks', ['listen', 'events', 'trigger']],
  ['What gw keeps', ['journal', 'ledger', 'forget', 'prune']],
  ['Setup', ['login', 'logout', 'whoami', 'profile', 'doctor', 'completion', 'mcp']],
  ['Gateway', ['emulator', 'api']],
];

const ABOUT = 'gw: charge, refund and look up card payments, from a terminal or a script.';

/** @param guides names of the guides. @returns the lines of the map */
export function mapPage(
  { commands, topics }: HelpIndex,
  guides: readonly string[],
  style: Style,
): string[] {
  const lists = GROUPS.map(([title, words]) => ({
    title,
    list: words.map((word): Entry => [word, topics[word] ?? commands[word] ?? '']),
  }));
  const column = termColumn(lists.flatMap(({ list }) => list));
  return [
    ...paragraph(ABOUT, style.width),
    ...section('First step', entries(FIRST_STEPS, style), style),
    ...lists.flatMap(({ title, list }) => section(title, entries(list, style, column), style)),
    '',
    ...paragraph(
      `\`gw help COMMAND\` says what it takes. More: gw help ${guides.join('|')}`,
      style.width,
    ),
  ];
}
