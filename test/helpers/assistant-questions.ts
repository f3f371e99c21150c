/** An assistant at the support desk after three months: questions of the cookbook, as calls of tools. */
import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Assistant } from './assistant.ts';

export interface Question {
  question: string;
  /** The calls, as an assistant would make them. */
  calls: readonly (readonly [tool: string, given: JsonObject])[];
  /** A part of the last answer. */
  answer: object;
}

export const QUESTIONS: readonly Question[] = [
  {
    question: 'A lady called, her card ends in 2346. Was she charged twice on Tuesday?',
    calls: [['find', { text: '2346 45.00', kind: ['purchase'], since: '7d' }]],
    answer: {
      records: [
        { amount: 4500, untrusted: { reference: 'WEB-3052', who: 'Siobhán Ó Briain' } },
        { amount: 4500, untrusted: { reference: 'WEB-3051', who: 'Siobhán Ó Briain' } },
      ],
    },
  },
  {
    question: 'Which of our two Maria Silvas has changed her email?',
    calls: [['find', { text: 'maria silva', kind: ['customer'] }]],
    answer: {
      records: [
        { untrusted: { reference: 'C-1014', email: 'mariasilva88@example.org' } },
        { untrusted: { reference: 'C-1013', email: 'maria.silva@example.com' } },
      ],
    },
  },
  {
    question: 'Why was the last payment of SUB-2158 declined, and what do I tell him?',
    calls: [
      ['find', { text: 'SUB-2158', outcome: ['declined', 'abandoned'] }],
      ['explain', { what: 'SUB-2158' }],
    ],
    answer: { records: [{ response_code: '05', try_again: 'after-customer', may_tell: true }] },
  },
  {
    question: 'How much has that customer paid, and what is unpaid?',
    calls: [['history', { name: '071-C-QSQE1P80' }]],
    answer: { notes: expect.arrayContaining([expect.stringContaining('unpaid 91.00 AUD')]) },
  },
  {
    question: 'What is left to refund of WEB-3052?',
    calls: [['get', { id: 'WEB-3052', follow: true }]],
    answer: { records: [{ known: { refunded: 0, left: 4500 } }] },
  },
  {
    question: 'Which subscriptions are at risk?',
    calls: [['report', { report: 'at-risk' }]],
    answer: { total: 38, next_cursor: '20', records: expect.any(Array) },
  },
  {
    question: 'What came in in March?',
    calls: [['report', { report: 'month', period: 'march' }]],
    answer: {
      records: expect.arrayContaining([
        expect.objectContaining({ what: 'net', amount: 413_336, currency: 'AUD' }),
      ]),
    },
  },
  {
    question: 'Did anybody pay twice?',
    calls: [['report', { report: 'doubles' }]],
    answer: { total: 2, records: [{ id: '071-P-EM6HP6C8' }, {}] },
  },
  {
    question: 'What will come in in the next month?',
    calls: [['report', { report: 'forecast' }]],
    answer: {
      records: expect.arrayContaining([expect.objectContaining({ what: 'charge due' })]),
    },
  },
  {
    question: 'Whose cards expire in April?',
    calls: [['find', { kind: ['customer'], expires: 'april' }]],
    answer: { records: expect.arrayContaining([expect.objectContaining({ kind: 'customer' })]) },
  },
];

/** Each tool once more, with whatever it shows most of. */
export async function everyTool({ call }: Assistant): Promise<void> {
  const calls: Question['calls'] = [
    ['find', { kind: ['card'] }],
    ['find', { kind: ['request', 'event'] }],
    ['get', { id: 'C-1030', follow: true }],
    ['get', { id: 'weekend', follow: true }],
    ['history', { name: 'C-1030' }],
    ['doctor', {}],
    ...[
      'charges',
      'declines',
      'refunds',
      'unpaid',
      'customers',
      'subscriptions',
      'day',
      'year',
    ].map((report): [string, JsonObject] => ['report', { report }]),
  ];
  for (const [tool, given] of calls) await call(tool, given);
}
