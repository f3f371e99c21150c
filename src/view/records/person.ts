/** People whom a search found, and what became of what was kept of one. */

import type { Erased } from '../../desk/forget/erasure-rules.ts';
import type { Candidate } from '../../desk/forget/find-person.ts';
import { cuttable, fieldColumn, ownView, timeColumn } from '../columns.ts';
import { textOf } from '../values.ts';

export const PERSON_VIEW = ownView<Candidate>({
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
