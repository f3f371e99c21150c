/**
 * The commands that a record offers to copy: what a person does next with it, in the terminal.
 *
 * Tests: test/unit/commands/desk/desk-server.test.ts, test/system/desk.test.ts
 */
import type { JsonObject } from '../../base/json.ts';
import { commandText } from '../../base/shell.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { isSuccessful, outcomeOf, paidOf } from '../../contract/normal.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import type { NameMatch } from '../../requests/known/resolve-name.ts';
import { type Html, html } from '../../view/html/html.ts';
import type { Item } from '../../view/panels/ties.ts';
import { sumOfRefunds } from '../../view/panels/words.ts';
import { textOf } from '../../view/values.ts';

export interface OfferedCommand {
  /** A few words for a person: the purpose of the command. */
  what: string;
  command: string;
}

type Named = Pick<NameMatch, 'kind' | 'id'>;

/** Words of a command and its flags. */
type Offer = readonly [
  what: string,
  words: readonly string[],
  flags?: Readonly<Record<string, unknown>>,
];

/**
 * @param record without secrets
 * @param items what happened to it
 */
export function commandsFor(
  profile: Profile,
  { kind, id }: Named,
  record: JsonObject,
  items: readonly Item[],
): OfferedCommand[] {
  const offers: Offer[] = [
    ...offersOf(profile, { kind, id }, record, items),
    ...(kind === 'card' ? [] : shown(kind, id)),
  ];
  return offers.flatMap(([what, words, flags = {}]) => {
    const command = commandText(
      words.map((word) => plain(word)),
      [...Object.entries(flags), ['profile', profile.name]],
    );
    return command ? { what, command } : [];
  });
}

/** A word that would be shown masked or escaped cannot be copied. */
const plain = (word: string) => (commandWord(word) === 'ID' ? 'ID' : word);

function shown(kind: NameMatch['kind'], id: string): Offer[] {
  if (kind === 'request') return [['Show the request', ['journal', 'show', id]]];
  return [['Look it up, with what it is tied to', ['get', id], { follow: true }]];
}

/** A longer reference is not typed again. */
const MOST_REFERENCE = 64;

/** @returns a reference for a refund of the purchase */
export function refundReference({ reference }: JsonObject, id: string): string {
  const own = textOf(reference) ?? id;
  return `RET-${own.length > MOST_REFERENCE ? id : own}`;
}

/** @returns the minor units that a refund may take of a purchase; undefined if that is not known */
export function leftOf(record: JsonObject, items: readonly Item[]): number | undefined {
  if (!isSuccessful(outcomeOf('purchase', record))) return 0;
  const { left } = sumOfRefunds(items, paidOf(record));
  return left === undefined ? undefined : Math.max(0, left);
}

function offersOf(
  { twoPersonsAbove }: Profile,
  { kind, id }: Named,
  record: JsonObject,
  items: readonly Item[],
): Offer[] {
  switch (kind) {
    case 'purchase': {
      const receipt: Offer = ['Make a receipt', ['receipt', id]];
      const left = leftOf(record, items);
      const flags = { full: true, reference: refundReference(record, id) };
      const refund: Offer =
        twoPersonsAbove === undefined
          ? ['Refund what is left', ['refund', 'create', id], flags]
          : ['Propose a refund of what is left', ['refund', 'propose', id], flags];
      return left === 0 ? [receipt] : [refund, receipt];
    }
    case 'customer':
      return [
        ['Store another card or email', ['customer', 'update', id]],
        ['Add up what was paid', ['history', id]],
        ['Delete the customer at the gateway', ['customer', 'delete', id]],
        ['See what would be erased from this machine', ['forget', id], { 'dry-run': true }],
      ];
    case 'subscription':
      return record.is_active === false
        ? [['Start it again', ['subscription', 'resume', id]]]
        : [
            ['Stop it', ['subscription', 'stop', id]],
            ['Move it to another plan', ['subscription', 'move', id], { plan: 'PLAN' }],
          ];
    case 'request':
      return record.state === 'unknown'
        ? [['Find out what became of it', ['journal', 'resolve', id]]]
        : [];
    default:
      return [];
  }
}

/** A line breaks between the words of a command, and not at a hyphen. @param name of the place, on its page @returns it, to copy */
export function commandHtml(command: string, name: string): Html {
  const words = command
    .split(' ')
    .map((word, n) => html`${n === 0 ? '' : ' '}<span>${word}</span>`);
  return html`<code id="${name}">${words}</code>${copyButton(name)}`;
}

/** @param name of the element whose text is copied */
export function copyButton(name: string): Html {
  return html`<button class="quiet" type="button" hidden data-copies="${name}">Copy</button>`;
}
