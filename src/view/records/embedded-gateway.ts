/**
 * The views of the test gateway's hooks, deliveries and test cards, and of a delivery that was sent from here.
 *
 * Tests: test/unit/view/panels/own-panels.test.ts, test/docs/output.test.ts
 */
import type { ListedHook } from '../../emulator/deliveries/hooks.ts';
import type { LoggedDelivery } from '../../emulator/deliveries/queue.ts';
import type { ListedTestCard } from '../../emulator/resources/cards.ts';
import { cuttable, extra, fieldColumn, firstOf, ownView, timeColumn } from '../columns.ts';
import { textOf } from '../values.ts';

/** A hook whose address has no username and password. */
export const HOOK_VIEW = ownView({
  name: 'hook',
  plural: 'hooks',
  mayHave: ['id', 'account', 'url', 'events', 'temporary', 'queued', 'created_at'],
  columns: [
    fieldColumn('id', { align: 'right' }),
    fieldColumn('account'),
    fieldColumn('events', cuttable),
    fieldColumn('url', cuttable),
    fieldColumn('queued', { align: 'right' }),
    { header: 'temporary', text: (record) => (record.temporary === true ? 'temporary' : '') },
  ],
  computed: ({ username, temporary }: ListedHook) => ({
    account: username,
    temporary: temporary === 1,
  }),
});

/** A delivery whose address has no username and password. */
export const DELIVERY_VIEW = ownView({
  name: 'delivery',
  plural: 'deliveries',
  mayHave: [
    'id',
    'hook',
    'url',
    'event',
    'customer',
    'created_at',
    'state',
    'attempts',
    'attempted_at',
    'result',
    'due_at',
    'body',
  ],
  columns: [
    fieldColumn('id', { align: 'right' }),
    timeColumn('created_at'),
    fieldColumn('event', cuttable),
    fieldColumn('state'),
    fieldColumn('attempts', { align: 'right' }),
    fieldColumn('result', cuttable),
    fieldColumn('customer', extra),
    fieldColumn('hook', { align: 'right' }),
    timeColumn('due_at', extra),
  ],
  computed: ({ body }: LoggedDelivery) => ({ body: JSON.parse(body) }),
});

export interface SentDelivery {
  event: string | null;
  to: string;
  /** HTTP status of the answer. */
  status: number;
  /** true if the body was changed after it was received. */
  changed: boolean;
}

export const SENT_VIEW = ownView<SentDelivery>({
  name: 'delivery',
  plural: 'deliveries',
  fields: ['event', 'to', 'status', 'changed'],
  id: firstOf(['event']),
  columns: [fieldColumn('event', cuttable), fieldColumn('to', cuttable), fieldColumn('status')],
  panel: async ({ event, to, status, changed }) => {
    const { panelLines } = await import('../panels/words.ts');
    const isTaken = Number(status) >= 200 && Number(status) < 300;
    return {
      outcome: isTaken ? 'approved' : 'declined',
      head: `${isTaken ? 'Delivered' : 'NOT DELIVERED'}  ${textOf(event) ?? 'no event'}`,
      rows: [
        ...panelLines('to', to),
        ...panelLines('answer', status),
        ...panelLines('body', changed === true ? 'changed by --set' : undefined),
      ],
      shown: ['event', 'to', 'status', 'changed'],
    };
  },
});

/** The number is shown whole, because it is published. */
export const TEST_CARD_VIEW = ownView({
  name: 'test card',
  plural: 'test cards',
  mayHave: ['name', 'card_number', 'card_type', 'behaviour', 'description', 'answers'],
  id: firstOf(['name']),
  isPublished: true,
  columns: [
    fieldColumn('name'),
    fieldColumn('card_number'),
    fieldColumn('card_type'),
    // Half of the cards share the text after the colon; the command prints it below the table.
    fieldColumn('description', {
      header: 'behaviour',
      shorten: (text) => text.replace(/:[\s\S]*$/, ''),
      ...cuttable,
    }),
  ],
  computed: ({ answers }: ListedTestCard) => ({
    answers: answers.map(({ codes, successful, message }) => ({
      codes: codes.length > 0 ? [...codes] : null,
      successful,
      message,
    })),
  }),
});
