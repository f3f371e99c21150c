/**
 * The page of bare `gw`: where to begin, the most common tasks, and all commands, on one screen of 24 rows of 80 cells.
 */
import type { HelpIndex } from './help-data.ts';
import { type Entry, entries, paragraph, type Style, section, termColumn } from './layout.ts';

const FIRST_STEPS: readonly Entry[] = [
  ['gw login', 'set your gateway up: it asks for what it needs'],
  ['gw purchase create -p local', 'or try it without one: the gateway is built in'],
];

/**
 * The most common tasks, each with an example; test/unit/cli/help/show-help.test.ts checks that their commands exist.
 */
const TASKS: readonly Entry[] = [
  ['gw purchase create', 'charge a card: it asks for the rest'],
  ['gw refund create --full ID', 'refund all that is left of a purchase'],
  ['gw get ada@example.com', 'an id, reference or email, and what belongs to it'],
  ['gw find byron 25.00', 'search everything seen, sent or received here'],
  ['gw report day', 'what was taken, declined and refunded today'],
];

/** Every first word of a command, by purpose. */
export const GROUPS: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['Payments', ['purchase', 'refund', 'tokenize', 'batch']],
  ['Looking up', ['get', 'find', 'history', 'receipt', 'report', 'reconcile']],
  ['Recurring', ['customer', 'plan', 'subscription']],
  ['Webhooks', ['listen', 'events', 'trigger']],
  ['Kept here', ['journal', 'ledger', 'forget', 'prune']],
  ['This machine', ['login', 'logout', 'whoami', 'profile', 'doctor', 'completion']],
  ['Gateway', ['emulator', 'api']],
];

const ABOUT = 'gw: charge, refund and look up card payments, from a terminal or a script.';

/** @param guides names of the guides. @returns the lines of the map */
export function mapPage(
  { commands }: HelpIndex,
  guides: readonly string[],
  style: Style,
): string[] {
  const known = new Set(Object.keys(commands).map((id) => id.split(':')[0] ?? ''));
  const column = termColumn([...FIRST_STEPS, ...TASKS]);
  return [
    ...paragraph(ABOUT, style.width),
    ...section('First step', entries(FIRST_STEPS, style, column), style),
    ...section('Everyday', entries(TASKS, style, column), style),
    ...section(
      'All commands',
      entries(
        GROUPS.map(([title, words]) => [title, words.filter((word) => known.has(word)).join(', ')]),
        { ...style, paint: (_, text) => text },
      ),
      style,
    ),
    '',
    ...paragraph(`More: gw help COMMAND, and gw help ${guides.join('|')}`, style.width),
  ];
}
