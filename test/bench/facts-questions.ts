/** What is asked of an index of millions: words that many have, few have and have no more, and filters. */
import type { SearchIndex, SearchQuery } from '../../src/index/search-index.ts';

type Question = readonly [name: string, ask: (documents: SearchIndex) => Promise<number>];

/** One more than a page, as `gw find` asks. */
const LIMIT = 21;
const SCOPE = { account: 'a1', profile: 'shop', environment: 'live' } as const;

const SEARCHES: readonly (readonly [name: string, search: Omit<SearchQuery, 'limit'>])[] = [
  ['nothing asked', {}],
  ['rare word', { text: 'c-10123' }],
  ['exact reference', { text: 'INV-50000' }],
  ['common word', { text: 'example' }],
  ['common name', { text: 'byron' }],
  ['two names', { text: 'ada byron' }],
  ['three letters', { text: 'son' }],
  ['part of an id', { text: '071-p-ab' }],
  ['last four', { text: '2346' }],
  ['last four and amount', { text: '2346', amount: 2_500 }],
  ['two letters', { text: 'li' }],
  ['one ideograph', { text: '王' }],
  ['common words that never meet', { text: 'byron lovelace' }],
  ['short name and a word that never meet', { text: 'li byron' }],
  ['nothing found', { text: 'nosuchword' }],
  ['nothing found, common letters', { text: 'exampleexample' }],
  ['amount', { amount: 2_500 }],
  ['rare amount', { amount: 77_777 }],
  ['money', { money: '25.00' }],
  ['word and money', { text: 'byron 25.00' }],
  ['word and rare amount', { text: 'example', amount: 77_777 }],
  ['rare kind', { kinds: ['refund'] }],
  ['word and rare kind', { text: 'byron', kinds: ['refund'] }],
  ['word and kind that never meet', { text: 'example', kinds: ['purchase'] }],
  ['kinds', { text: 'byron', kinds: ['refund', 'customer'] }],
  ['word and outcome', { text: 'byron', outcome: 'declined' }],
  ['outcome in a period', { outcome: 'declined', since: '2024-06-01', until: '2024-07-01' }],
  ['outcome that nothing has', { outcome: 'bad' }],
  ['word and outcome that nothing has', { text: 'example', outcome: 'bad' }],
  ['word and rare profile', { text: 'byron', profile: 'sandbox' }],
  ['word, one day', { text: 'byron', since: '2024-06-01', until: '2024-06-02' }],
  ['common word, long ago', { text: 'approved', until: '2024-01-02' }],
  ['two names, long ago', { text: 'ada byron', until: '2024-02-02' }],
  ['many long ago, none since', { text: '071-pl-first' }],
  ['many long ago, by a part', { text: 'pl-fir' }],
  ['long ago and a name', { text: 'pl-first byron' }],
];

export const QUESTIONS: readonly Question[] = [
  ...SEARCHES.map(
    ([name, search]): Question => [
      name,
      async (documents) => (await documents.search({ ...search, limit: LIMIT })).length,
    ],
  ),
  ['tied', async (documents) => (await documents.tied(['C-10123'], { limit: 100 })).length],
  [
    'tied, many',
    async (documents) => (await documents.tied(['071-PL-NOW'], { limit: 1_000 })).length,
  ],
  ['sources', async (documents) => Object.keys((await documents.sources()).kinds).length],
  [
    'sums of a day',
    async (documents) => {
      const day = { from: '2025-06-01T00:00:00Z', until: '2025-06-02T00:00:00Z' };
      return (await documents.totals({ scope: SCOPE, ...day, by: 'reason' })).length;
    },
  ],
];
