/** How what a command would use is shown: profile, account, ledger, operator. */
import type { JsonObject } from '../../base/json.ts';
import { firstOf, ownView } from '../../view/columns.ts';

export const WHOAMI_VIEW = ownView<JsonObject>({
  name: 'profile',
  plural: 'profiles',
  mayHave: [
    'profile',
    'environment',
    'base_url',
    'username',
    'account',
    'ledger',
    'operator',
    'machine',
    'why',
  ],
  id: firstOf(['profile']),
  columns: [],
  card: async (record) => (await import('./profile-card.ts')).whoamiCard(record),
  record: (record) => record,
});
