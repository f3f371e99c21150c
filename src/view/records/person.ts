/** People whom a search found, and what became of what was kept of one. */

import { cuttable, fieldColumn, ownView, timeColumn } from '../columns.ts';
import { textOf } from '../values.ts';

export const PERSON_VIEW = ownView<PersonMatch>({
  name: 'person',
  plural: 'people',
  hasHeader: true,
  id: (record) => textOf(record.customer),
  columns: [
    fieldColumn('customer'),
    fieldColumn('name', cuttable),
    fieldColumn('email', cuttable),
    fieldColumn('reference', cuttable),
    fieldColumn('known_things', { align: 'right' }),
    timeColumn('last_at', { header: 'newest' }, 10),
  ],
  record: ({ customer, names, emails, references, count, lastAt }) => ({
    customer,
    name: [...names].join('; ') || null,
    email: [...emails].join('; ') || null,
    reference: [...references].join('; ') || null,
    known_things: count,
    last_at: lastAt,
  }),
});

export const ERASED_VIEW = ownView<Erased>({
  name: 'thing',
  plural: 'things',
  hasHeader: true,
  fields: ['action', 'kind', 'id', 'at', 'profile'],
  columns: [
    fieldColumn('action'),
    fieldColumn('kind'),
    fieldColumn('id'),
    timeColumn('at'),
    fieldColumn('profile'),
  ],
  record: ({ action, kind, id, at, profile }) => ({ action, kind, id, at, profile }),
});

/** What became of one thing that is kept, or would. */
export interface Erased {
  kind: string;
  id: string;
  /** When it was sent, received or last seen: ISO 8601, UTC. */
  at: string;
  profile: string | null;
  /** `kept` is what is still needed as it is. */
  action: 'deleted' | 'blanked' | 'kept';
}

/** Somebody whom the search found; without a customer, whoever goes by a name or an email. */
export interface PersonMatch {
  customer: string | null;
  names: Set<string>;
  emails: Set<string>;
  references: Set<string>;
  /** Ids of purchases and refunds that were found. */
  records: Set<string>;
  /** Documents that are about them. */
  count: number;
  /** When the newest of them happened. */
  lastAt: string;
}
