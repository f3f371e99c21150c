/** The fields of what a command prints, for --fields. */
import { VIEWS } from '../../view/records/gateway-records.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';

/** The fields of gw's own records, which are otherwise told by the first record that is printed. */
const OWN_FIELDS = {
  document: [
    'kind',
    'id',
    'at',
    'account',
    'profile',
    'environment',
    'host',
    'outcome',
    'amount',
    'currency',
    'reference',
    'who',
    'email',
    'message',
    'label',
    'purchase',
    'customer',
    'subscription',
    'plan',
    'seen_at',
    'last_four',
    'operator',
  ],
  event: [
    'id',
    'received_at',
    'mode',
    'event',
    'outcome',
    'message',
    'who',
    'customer',
    'subscription',
    'reference',
    'purchase',
    'amount',
    'decimal_amount',
    'currency',
    'elements',
    'authentication',
    'verification',
    'verification_reason',
    'duplicate_of',
    'fault',
    'status',
    'masked',
    'profile',
  ],
  batch: [
    'id',
    'operation',
    'profile',
    'environment',
    'host',
    'started_at',
    'last_at',
    'operators',
    'lines',
    'done',
    'declined',
    'rejected',
    'not_sent',
    'unknown',
    'sending',
    'totals',
  ],
  profile: [
    'name',
    'environment',
    'base_url',
    'is_default',
    'currency',
    'read_only',
    'max_amount',
    'allowed_commands',
    'credential_command',
    'remember',
    'ledger',
    'ledger_command',
  ],
  hook: ['id', 'account', 'url', 'events', 'temporary', 'queued', 'created_at'],
  'test card': ['name', 'card_number', 'card_type', 'behaviour', 'description', 'answers'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Kind = keyof typeof VIEWS | keyof typeof OWN_FIELDS;

/** What commands print where it is not called as their topic is. */
const KINDS: Readonly<Record<string, Kind>> = {
  tokenize: 'card',
  find: 'document',
  'events:list': 'event',
  'events:get': 'event',
  'emulator:hooks:list': 'hook',
  'emulator:cards': 'test card',
};

/** @param id of a command. @returns names of fields; none where they are not known */
export function fieldsOf(id: string): readonly string[] {
  const [topic = '', verb = ''] = id.split(':');
  if (topic === 'journal' || id === 'batch:show') return ENTRY_VIEW.fields;
  if (verb === 'batch') return [];
  const kind = KINDS[id] ?? topic;
  if (Object.hasOwn(VIEWS, kind)) return VIEWS[kind as keyof typeof VIEWS].fields;
  return Object.hasOwn(OWN_FIELDS, kind) ? OWN_FIELDS[kind as keyof typeof OWN_FIELDS] : [];
}
