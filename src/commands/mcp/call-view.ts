/** The view of what an assistant asked. */
import type { AssistantCall } from '../../events/store/assistant-calls.ts';
import { cuttable, extra, fieldColumn, ownView, timeColumn } from '../../view/columns.ts';

export const CALL_VIEW = ownView<AssistantCall>({
  name: 'call',
  plural: 'calls',
  mayHave: ['id', 'at', 'profile', 'client', 'tool', 'arguments', 'outcome', 'rows', 'ms'],
  hasHeader: true,
  columns: [
    timeColumn('at'),
    fieldColumn('client', cuttable),
    fieldColumn('tool'),
    fieldColumn('arguments', cuttable),
    fieldColumn('outcome'),
    fieldColumn('rows', { align: 'right' }),
    fieldColumn('ms', { align: 'right', ...extra }),
    fieldColumn('profile', extra),
  ],
});
