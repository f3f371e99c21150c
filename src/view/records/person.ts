/** How the records of a person that were erased are shown. */

import { fieldColumn, ownView, timeColumn } from '../columns.ts';

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
