/** The view of a person's erased records. */

import { fieldColumn, ownView, timeColumn } from '../../view/columns.ts';

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
});

/** An item that was kept about the person, and the action on it, done or planned. */
export interface Erased {
  kind: string;
  id: string;
  /** The time when it was sent, received or last seen: ISO 8601, UTC. */
  at: string;
  profile: string | null;
  /** `kept` means that the item is still needed unchanged. */
  action: 'deleted' | 'blanked' | 'kept';
}
