/** How the embedded gateway's own records are shown: days that were run, hooks, deliveries. */
import { EVENT_PAYLOADS } from '../../contract/webhook-events.ts';
import { type Column, fieldColumn, type RecordView } from '../columns.ts';
import { fieldAt, textOf } from '../values.ts';

const cuttable = { cuttable: true } as const;
const early = { drop: 'early' } as const;

const EVENTS = Object.keys(EVENT_PAYLOADS);

/** Fields of `events` have colons in their names; a column is named by what is after it. */
const eventColumn = (event: string): Column => ({
  header: event.slice(event.indexOf(':') + 1),
  text: (record) => textOf(fieldAt(record, `events.${event}`)),
  align: 'right',
});

export const ADVANCED_DAY_VIEW: RecordView = {
  name: 'day',
  plural: 'days',
  columns: [
    fieldColumn('day'),
    ...EVENTS.map(eventColumn),
    fieldColumn('delivered', { align: 'right' }),
    fieldColumn('failed', { header: 'not delivered', align: 'right' }),
    fieldColumn('abandoned', { align: 'right' }),
  ],
  fields: ['day', ...EVENTS.map((event) => `events.${event}`), 'delivered', 'failed', 'abandoned'],
  id: (record) => textOf(record.day),
};

export const HOOK_VIEW: RecordView = {
  name: 'hook',
  plural: 'hooks',
  columns: [
    fieldColumn('id', { align: 'right' }),
    fieldColumn('account'),
    fieldColumn('events', cuttable),
    fieldColumn('url', cuttable),
    fieldColumn('queued', { align: 'right' }),
    { header: '', text: (record) => (record.temporary === true ? 'temporary' : '') },
  ],
  fields: ['id', 'account', 'url', 'events', 'temporary', 'queued', 'created_at'],
  id: (record) => textOf(record.id),
};

const minutes = (text: string) => text.replace('T', ' ').slice(0, 16);

export const DELIVERY_VIEW: RecordView = {
  name: 'delivery',
  plural: 'deliveries',
  columns: [
    fieldColumn('id', { align: 'right' }),
    fieldColumn('created_at', { shorten: minutes }),
    fieldColumn('event'),
    fieldColumn('state'),
    fieldColumn('attempts', { align: 'right' }),
    fieldColumn('result', cuttable),
    fieldColumn('customer', early),
    fieldColumn('hook', { align: 'right' }),
    fieldColumn('due_at', { ...early, shorten: minutes }),
  ],
  fields: [
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
  ],
  id: (record) => textOf(record.id),
};
