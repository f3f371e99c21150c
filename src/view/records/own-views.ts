/** How the records of this machine, which are not the gateway's, are shown as rows. */
import { fieldColumn, type RecordView } from '../columns.ts';
import { amountText, textOf } from '../values.ts';

const cuttable = { cuttable: true } as const;
const early = { drop: 'early' } as const;

export const PROFILE_VIEW: RecordView = {
  name: 'profile',
  plural: 'profiles',
  columns: [
    fieldColumn('name'),
    fieldColumn('environment'),
    fieldColumn('base_url', cuttable),
    fieldColumn('currency', early),
    { header: 'default', text: (record) => (record.is_default === true ? 'default' : '') },
    { header: 'limits', text: (record) => limitsOf(record), cuttable: true },
  ],
  fields: [
    'name',
    'environment',
    'base_url',
    'is_default',
    'currency',
    'read_only',
    'max_amount',
    'allowed_commands',
    'credential_command',
  ],
  id: (record) => textOf(record.name),
};

function limitsOf(record: Parameters<RecordView['id']>[0]): string {
  const limits = [
    record.read_only === true ? 'read-only' : undefined,
    record.max_amount === null ? undefined : `at most ${textOf(record.max_amount)}`,
    record.allowed_commands === null ? undefined : 'some commands',
  ];
  return limits.filter((limit) => limit !== undefined).join(', ');
}

export const ENTRY_VIEW: RecordView = {
  name: 'entry',
  plural: 'entries',
  columns: [
    // `journal show` takes the beginning of an id.
    fieldColumn('id', { shorten: (text) => text.slice(0, 8) }),
    fieldColumn('created_at', { shorten: (text) => text.replace('T', ' ').slice(0, 19) }),
    fieldColumn('state'),
    fieldColumn('operation'),
    { header: 'amount', text: amountText, align: 'right' },
    fieldColumn('reference', cuttable),
    fieldColumn('record_id', early),
    fieldColumn('profile', early),
  ],
  fields: [
    'id',
    'created_at',
    'state',
    'operation',
    'amount',
    'currency',
    'reference',
    'target',
    'record_id',
    'message',
    'status',
    'profile',
    'environment',
    'host',
    'settled_at',
    'resolution',
    'batch',
  ],
  id: (record) => textOf(record.id),
};
