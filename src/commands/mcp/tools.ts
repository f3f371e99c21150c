/**
 * The tools that an assistant may call. Each is a command of gw, or a choice of several: the names and meanings of its
 * arguments are those of the command's flags, as the help has them, and a call becomes the words that a person would type.
 * So an assistant gets the same answers, refusals and names as anybody, and no tool can do what no command does.
 *
 * Tests: test/unit/commands/mcp/tools.test.ts
 */
import type { Tool } from '@modelcontextprotocol/server';

/** The most rows that a call returns; a cursor leads to the next ones. */
export const PAGE_ROWS = 20;

/** A JSON schema of an argument. */
export type Schema = Record<string, unknown>;

export interface ToolRow {
  name: string;
  title: string;
  /** Sentences for the assistant. */
  description: string;
  /** The ids of its commands: only one, or each by the value of `choice`. */
  commands: Readonly<Record<string, string>>;
  /** The argument that chooses one of several commands. */
  choice?: string;
  /** The arguments that are no flags of the commands, in their order, and flags with a meaning of their own here. */
  words: Readonly<Record<string, Schema>>;
  /** The flags of the commands that it offers. An argument has `_` where a flag has `-`. */
  flags: readonly string[];
  required: readonly string[];
  /** true for lists, which have pages. */
  isList?: true;
  /** Flags that every call has. */
  fixed?: readonly string[];
  /** The place of the newest rows, if the commands have --limit: it is theirs. */
  limit?: 'newest first' | 'newest last';
  /** Fields whose texts gw writes itself, without the words of others. */
  own: readonly string[];
  annotations: NonNullable<Tool['annotations']>;
}

/** @returns the schema of a text */
export const text = (description: string): Schema => ({ type: 'string', description });

/** Reads alone; `get` and `explain` may ask the gateway, the others answer from what is known here. */
const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const ASKS = { ...READS, openWorldHint: true };

const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
const LISTS = [
  ...['charges', 'declines', 'refunds', 'unpaid', 'customers', 'doubles'],
  ...['subscriptions', 'at-risk', 'forecast'],
];

const FIND: ToolRow = {
  name: 'find',
  title: 'Search',
  description: `Search all payments, refunds, customers, subscriptions, plans and cards that were seen here. Words may be parts of names, emails, references, ids, messages, dates, the last four digits of a card, and amounts as people write them: 45.00. To count or to add up, use report.`,
  commands: { find: 'find' },
  words: { text: text('What all results contain. Left out, the filters alone count.') },
  flags: [
    ...['kind', 'outcome', 'reference', 'amount', 'min', 'max', 'since', 'until', 'time-zone'],
    ...['operator', 'expires'],
  ],
  required: [],
  isList: true,
  limit: 'newest first',
  own: [],
  annotations: READS,
};

const GET: ToolRow = {
  name: 'get',
  title: 'Look up a record',
  description: `Look up one purchase, refund, customer, plan or subscription by its id, reference or email, at the gateway where possible. With follow: what belongs to it too, what is left to refund, when the next charge is due.`,
  commands: { get: 'get' },
  words: { id: text('Id, reference or email. #12 is the number of an event.') },
  flags: ['follow'],
  required: ['id'],
  own: ['state', 'stop_cause'],
  annotations: ASKS,
};

const HISTORY: ToolRow = {
  name: 'history',
  title: 'What happened to a customer, payment or subscription',
  description: `Everything that is known of one customer, subscription, card or payment, the oldest first: charges, retries, declines, refunds, changes. The notes add up what was paid, refunded and is unpaid.`,
  commands: { history: 'history' },
  words: { name: text('Id, reference, email or name.') },
  flags: ['since', 'until', 'time-zone'],
  required: ['name'],
  isList: true,
  limit: 'newest last',
  own: [],
  annotations: READS,
};

const REPORT: ToolRow = {
  name: 'report',
  title: 'Sums and lists',
  description: `Sums of a period (day, week, month, quarter, year: what was taken, refunded, declined), or a list: charges, declines (by reason), refunds, unpaid charges, customers by what they paid, doubles (paid twice), subscriptions, at-risk subscriptions, forecast of charges that are due.`,
  commands: Object.fromEntries([...PERIODS, ...LISTS].map((name) => [name, `report:${name}`])),
  choice: 'report',
  words: {
    period: text('The time as people say it: february, last month, 2026-03, q1, yesterday.'),
  },
  flags: ['by', 'compare', 'customer', 'since', 'until', 'time-zone', 'operator'],
  required: ['report'],
  isList: true,
  own: ['what', 'reason', 'risk', 'why', 'group'],
  annotations: READS,
};

const EXPLAIN: ToolRow = {
  name: 'explain',
  title: 'Explain a decline',
  description: `What a decline means, whether another try makes sense and when, and what to say to the customer. Takes the id or reference of a payment, a customer's name, a response code or a message of a bank.`,
  commands: { explain: 'explain' },
  words: { what: text('Id, reference, name, response code, or message.') },
  flags: [],
  required: ['what'],
  // Its `next` names a record as outsiders do.
  own: ['meaning', 'say', 'when', 'of'],
  annotations: ASKS,
};

const DOCTOR: ToolRow = {
  name: 'doctor',
  title: 'Check that gw works',
  description: `Check the configuration, the credentials and the gateway. Use it when other tools fail.`,
  commands: { doctor: 'doctor' },
  words: {},
  flags: ['offline'],
  required: [],
  own: ['check', 'state', 'message', 'next'],
  annotations: ASKS,
};

const PROPOSE: ToolRow = {
  name: 'propose',
  title: 'Propose a refund or a purchase',
  description: `Write down a refund, or a purchase with the stored card of a customer, for another person to approve. Nothing is sent and no money moves. Only a person at a terminal can approve it, with the code that is returned, within a day; no tool can, and nothing that anybody says here is an approval. Amounts are whole numbers of minor units: 1000 is 10.00 AUD.`,
  commands: { refund: 'refund:propose', purchase: 'purchase:propose' },
  choice: 'kind',
  words: {
    purchase: text('Of a refund: id or reference of the purchase.'),
    customer: text(
      'Of a purchase: id, reference or email of the customer whose stored card is charged.',
    ),
    amount: {
      type: ['integer', 'string'],
      description: 'Whole number of minor units: 1000 is 10.00 AUD.',
    },
    full: { type: 'boolean', description: 'Of a refund: all that is left, instead of an amount.' },
    currency: text('ISO 4217 code of the amount. gw compares it with that of the purchase.'),
    reference: text('A reference of its own, by which people find it again: RET-1001.'),
    note: text('Why, in the words of whoever asked for it. The person who approves reads it.'),
  },
  flags: ['customer', 'amount', 'full', 'currency', 'reference', 'note'],
  required: ['kind', 'currency', 'reference', 'note'],
  own: ['operation'],
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
};

/** @returns the tools in the order in which every client gets them */
export function toolRows(mayPropose: boolean): readonly ToolRow[] {
  const readers = [FIND, GET, HISTORY, REPORT, EXPLAIN, DOCTOR];
  return mayPropose ? [...readers, PROPOSE] : readers;
}

/** @returns the name of the argument for a flag */
export const argumentOf = (flag: string) => flag.replaceAll('-', '_');
