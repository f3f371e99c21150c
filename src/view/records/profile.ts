/** The view of a profile; it has no secrets. */
import type { JsonObject } from '../../base/json.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import type { MissingProfile } from '../../client/profiles/store.ts';
import { moneyText } from '../../contract/money.ts';
import { cuttable, extra, fieldColumn, firstOf, ownView } from '../columns.ts';
import { textOf } from '../values.ts';

export const PROFILE_VIEW = ownView<{ profile: Profile; isDefault: boolean }>({
  name: 'profile',
  plural: 'profiles',
  mayHave: [
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
    'set_up',
    'next',
    'ledger',
    'ledger_command',
  ],
  // Programs use this id to select the profile, so it must be set up.
  id: (record) => (record.set_up === false ? undefined : textOf(record.name)),
  columns: [
    fieldColumn('name'),
    fieldColumn('environment'),
    fieldColumn('base_url', cuttable),
    fieldColumn('currency', extra),
    { header: 'state', text: stateOf },
    { header: 'limits', text: limitsOf, cuttable: true },
    fieldColumn('ledger', { ...cuttable, ...extra }),
  ],
  record: ({ profile, isDefault }) => ({
    name: profile.name,
    environment: profile.environment,
    base_url: profile.environment === 'local' ? null : profile.baseUrl.href,
    is_default: isDefault,
    ...settingsOf(profile),
    ...ledgerOf(profile),
  }),
});

/** The view of `gw whoami`: the profile, account, limits, ledger and operator that a command would use. */
export const WHOAMI_VIEW = ownView<JsonObject>({
  name: 'profile',
  plural: 'profiles',
  mayHave: [
    'profile',
    'environment',
    'base_url',
    'username',
    'account',
    'merchant',
    'currency',
    'read_only',
    'max_amount',
    'allowed_commands',
    'credential_command',
    'remember',
    'ledger',
    'ledger_command',
    'operator',
    'machine',
    'why',
  ],
  hasHeader: true,
  id: firstOf(['profile']),
  columns: [
    ...['profile', 'environment', 'base_url', 'username', 'account'].map((field) =>
      fieldColumn(field),
    ),
    { header: 'limits', text: limitsOf },
    ...['ledger', 'operator', 'machine'].map((field) => fieldColumn(field)),
  ],
  card: async (record) => (await import('../cards/profile-card.ts')).whoamiCard(record),
  record: (record) => record,
});

/** @returns the limits and other settings of a profile */
export function settingsOf(profile: Profile): JsonObject {
  return {
    merchant: profile.merchant ?? null,
    currency: profile.currency ?? null,
    read_only: profile.readOnly ?? false,
    max_amount: profile.maxAmount ?? null,
    allowed_commands: profile.allowedCommands ? [...profile.allowedCommands] : null,
    credential_command: profile.credentialCommand ?? null,
    remember: profile.remember ?? true,
  };
}

/** null if the ledger is the file of this machine. */
function ledgerOf({ ledger, ledgerCommand }: Partial<Profile>): JsonObject {
  return { ledger: ledger ? shown(ledger) : null, ledger_command: ledgerCommand ?? null };
}

/** Everything before an @ is hidden when printed. The role is no secret, so it moves to a parameter. */
function shown(ledger: string): string {
  const [, scheme, role, rest] = /^([a-z]+:\/\/)([^@/?]*)@(.*)$/i.exec(ledger) ?? [];
  if (rest === undefined) return ledger;
  return `${scheme}${rest}${role ? `${rest.includes('?') ? '&' : '?'}user=${role}` : ''}`;
}

/** @returns a profile that is set up, in the list with those that are not */
export function listedProfile(listed: { profile: Profile; isDefault: boolean }): JsonObject {
  const { ledger, ledger_command, ...rest } = PROFILE_VIEW.record(listed);
  // Last, because columns of CSV keep their places.
  return { ...rest, set_up: true, next: null, ledger, ledger_command } as JsonObject;
}

/** @returns a profile that is not set up, with the same fields, and the command that sets it up */
export function missingProfile({ name, environment, next }: MissingProfile): JsonObject {
  return {
    name,
    environment,
    base_url: null,
    is_default: false,
    merchant: null,
    currency: null,
    read_only: false,
    max_amount: null,
    allowed_commands: null,
    credential_command: null,
    remember: true,
    set_up: false,
    next,
    ...ledgerOf({}),
  };
}

function stateOf(record: JsonObject): string {
  if (record.set_up === false) return `not set up yet: ${textOf(record.next)}`;
  return record.is_default === true ? 'default' : '';
}

function limitsOf(record: JsonObject): string {
  const limits = [
    record.read_only === true ? 'read-only' : undefined,
    typeof record.max_amount === 'number'
      ? `at most ${moneyText(record.max_amount, textOf(record.currency))}`
      : undefined,
    record.allowed_commands === null ? undefined : 'some commands',
    record.remember === false ? 'remembers nothing' : undefined,
  ];
  return limits.filter((limit) => limit !== undefined).join(', ');
}
