/** How a hook of the embedded gateway is shown. */
import type { ListedHook } from '../../emulator/deliveries/hooks.ts';
import { cuttable, fieldColumn, ownView } from '../columns.ts';

/** Of a hook whose address has no username and password any more. */
export const HOOK_VIEW = ownView<ListedHook>({
  name: 'hook',
  plural: 'hooks',
  columns: [
    fieldColumn('id', { align: 'right' }),
    fieldColumn('account'),
    fieldColumn('events', cuttable),
    fieldColumn('url', cuttable),
    fieldColumn('queued', { align: 'right' }),
    { header: 'temporary', text: (record) => (record.temporary === true ? 'temporary' : '') },
  ],
  record: ({ id, username, url, events, temporary, queued, created_at }) => ({
    id,
    account: username,
    url,
    events,
    temporary: temporary === 1,
    queued,
    created_at,
  }),
});
