/**
 * The view of an explanation, by `gw explain`.
 *
 * Tests: test/scripts/commands/explain.script, test/docs/output.test.ts
 */

import type { JsonObject } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import {
  adviceOn,
  type Decline,
  isHidden,
  type SinceDecline,
  type TryAgain,
} from '../../contract/decline-table.ts';
import type { Thing, ThingOutcome } from '../../things/thing.ts';
import { fieldColumn, ownView, shortId, tintOf } from '../../view/columns.ts';
import { joinTexts, panelLines, timeText } from '../../view/panels/words.ts';
import { reasonBeside } from '../../view/reason.ts';
import { amountText, textOf } from '../../view/values.ts';

const OF_PAYMENT = [
  ...(['id', 'at', 'amount', 'currency', 'reference', 'who', 'customer', 'profile'] as const),
] as const;

/** The fields of the payment are left out of a text that names none. */
export interface Explanation extends Partial<Pick<Thing, (typeof OF_PAYMENT)[number]>> {
  /** The kind of the text: `purchase`, `response code`. */
  of: string;
  /** The text as it was typed. */
  name: string;
  outcome: ThingOutcome | null;
  responseCode: string | null;
  /** The gateway's own. */
  message: string | null;
  meaning: string;
  /** null if nothing was declined, or gw does not know. */
  tryAgain: TryAgain | null;
  /** When to try again. */
  when: string | null;
  /** The sentence that support reads out to the customer. */
  say: string | null;
  /** false if the reason is the bank's alone to tell. */
  mayTell: boolean;
  /** How often the card was declined, and what it paid before; null if no card is known. */
  history: string | null;
  /** The next step of the operator. */
  next: string | null;
  /** Another reading of the text, or a doubt. */
  also: string | null;
}

const FIELDS = [
  ...(['of', 'name', 'outcome', 'response_code', 'message', 'meaning', 'try_again'] as const),
  ...(['when', 'say', 'may_tell', 'history', 'next', 'also'] as const),
] as const;

export const EXPLANATION_VIEW = {
  ...ownView<Explanation>({
    name: 'explanation',
    plural: 'explanations',
    hasHeader: true,
    mayHave: [...FIELDS, ...OF_PAYMENT],
    columns: FIELDS.map((name) => fieldColumn(name, { wraps: true })),
  }),
  panel: async (record: JsonObject) => panelOf(record),
};

/** The labels of a panel, in its order. */
const ROWS = ['meaning', 'when', 'say', 'but', 'customer', 'history', 'next', 'also', 'code'];

function panelOf(record: JsonObject) {
  const { of, name, id, outcome = null, message, reference, at } = record;
  const isPayment = outcome !== null && at !== undefined;
  const word = outcome === 'declined' ? 'DECLINED' : capitalised(textOf(outcome) ?? '');
  const title = capitalised(`${textOf(of)} ${shortId(textOf(id ?? name) ?? '')}`);
  const say = textOf(record.say);
  const shown: JsonObject = {
    ...record,
    say: say === undefined ? null : `“${say}”`,
    customer: joinTexts([textOf(record.customer), textOf(record.who)], ' ') || null,
    code: at === undefined ? null : (record.response_code ?? null),
    but: record.may_tell === false ? 'Do not tell the customer the reason: the bank does.' : null,
  };
  const rows = ROWS.flatMap((label) => panelLines(label, shown[label]));
  return {
    ...(isPayment && { outcome: tintOf(outcome), title: joinTexts([title, textOf(reference)]) }),
    head: isPayment
      ? joinTexts(
          [
            joinTexts([word, reasonBeside(textOf(outcome), textOf(message))], ': '),
            amountText(record),
            timeText(at),
          ],
          '  ',
        )
      : title,
    rows: rows.map((row) => (row.label === 'when' ? { ...row, label: 'try again' } : row)),
    shown: Object.keys(record),
  };
}

/** The parts of an explanation that few have. */
export const NOTHING_MORE = {
  ...({ outcome: null, responseCode: null, message: null, tryAgain: null, when: null } as const),
  ...({ say: null, mayTell: true, history: null, next: null, also: null } as const),
};

/** @returns what a decline means, as far as its reason says it, and what happened since if that is known */
export function ofDecline(decline: Decline, since?: SinceDecline) {
  const [tryAgain, when, say] = adviceOn(decline, since);
  const meaning = `${capitalised(decline[2])}.`;
  return {
    outcome: 'declined',
    meaning,
    tryAgain,
    when,
    say,
    mayTell: !isHidden(decline),
  } as const;
}
