/**
 * The view of a profile; it has no secrets.
 *
 * Tests: test/scripts/commands/profiles.script, test/scripts/commands/whoami.script, test/docs/output.test.ts
 */
import type { JsonObject } from '../../base/json.ts';
import { KEEP_DAYS, type Profile } from '../../client/profiles/profile.ts';
import { moneyText } from '../../contract/money.ts';
import { approvalText, capTexts } from '../cap-texts.ts';
import { cuttable, extra, fieldColumn, idFromFields, ownView } from '../columns.ts';
import { textOf } from '../values.ts';

interface ListedProfile {
  /** Only what is known of it, if it is not set up. */
  profile: Partial<Profile>;
  isDefault: boolean;
  /** The command that sets it up; null if it is set up. */
  next: string | null;
}

export const PROFILE_VIEW = ownView({
  name: 'profile',
  plural: 'profiles',
  mayHave: [
    'name',
    'environment',
    'base_url',
    'is_default',
    'merchant_name',
    'currency',
    'read_only',
    'max_amount',
    'max_per_hour',
    'max_per_day',
    'require_note',
    'two_persons_above',
    'allowed_commands',
    'credential_command',
    'remember',
    'keep_days',
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
  computed: ({ profile, isDefault, next }: ListedProfile) => ({
    name: profile.name,
    environment: profile.environment,
    base_url: profile.environment === 'local' ? null : (profile.baseUrl?.href ?? null),
    is_default: isDefault,
    ...settingsOf(profile),
    set_up: next === null,
    ledger: profile.ledger ? shown(profile.ledger) : null,
    ledger_command: profile.ledgerCommand ?? null,
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
    'merchant_name',
    'currency',
    'read_only',
    'max_amount',
    'max_per_hour',
    'max_per_day',
    'require_note',
    'two_persons_above',
    'allowed_commands',
    'credential_command',
    'remember',
    'keep_days',
    'ledger',
    'ledger_command',
    'operator',
    'machine',
    'why',
  ],
  hasHeader: true,
  id: idFromFields(['profile']),
  columns: [
    ...['profile', 'environment', 'base_url', 'username', 'account'].map((field) =>
      fieldColumn(field),
    ),
    { header: 'limits', text: limitsOf },
    ...['ledger', 'operator', 'machine'].map((field) => fieldColumn(field)),
  ],
  panel: async (record) => (await import('../panels/profile-panel.ts')).whoamiPanel(record),
});

/** @returns the limits and other settings of a profile */
export function settingsOf(profile: Partial<Profile>) {
  return {
    merchant_name: profile.merchantName ?? null,
    currency: profile.currency ?? null,
    read_only: profile.readOnly ?? false,
    max_amount: profile.maxAmount ?? null,
    max_per_hour: profile.maxPerHour ? [...profile.maxPerHour] : null,
    max_per_day: profile.maxPerDay ? [...profile.maxPerDay] : null,
    require_note: profile.requireNote ?? false,
    two_persons_above: profile.twoPersonsAbove ? [...profile.twoPersonsAbove] : null,
    allowed_commands: profile.allowedCommands ? [...profile.allowedCommands] : null,
    credential_command: profile.credentialCommand ?? null,
    remember: profile.remember ?? true,
    keep_days: profile.keepDays ?? KEEP_DAYS,
  };
}

/** Everything before an @ is hidden when printed. The role is no secret, so it moves to a parameter. */
function shown(ledger: string): string {
  const [, scheme, role, rest] = /^([a-z]+:\/\/)([^@/?]*)@(.*)$/i.exec(ledger) ?? [];
  if (rest === undefined) return ledger;
  return `${scheme}${rest}${role ? `${rest.includes('?') ? '&' : '?'}user=${role}` : ''}`;
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
    ...capTexts(record),
    record.require_note === true ? 'notes required' : undefined,
    approvalText(record),
    record.allowed_commands === null ? undefined : 'some commands',
    record.remember === false ? 'remembers nothing' : undefined,
  ];
  return limits.filter((limit) => limit !== undefined).join(', ');
}
