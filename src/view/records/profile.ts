/** How a profile is shown; it has no secrets. */
import type { JsonObject } from '../../base/json.ts';
import type { Profile } from '../../profiles/profile.ts';
import { cuttable, early, fieldColumn, firstOf, ownView } from '../columns.ts';
import { textOf } from '../values.ts';

export const PROFILE_VIEW = ownView<{ profile: Profile; isDefault: boolean }>({
  name: 'profile',
  plural: 'profiles',
  id: firstOf(['name']),
  columns: [
    fieldColumn('name'),
    fieldColumn('environment'),
    fieldColumn('base_url', cuttable),
    fieldColumn('currency', early),
    { header: 'default', text: (record) => (record.is_default === true ? 'default' : '') },
    { header: 'limits', text: limitsOf, cuttable: true },
  ],
  record: ({ profile, isDefault }) => ({
    name: profile.name,
    environment: profile.environment,
    base_url: profile.environment === 'local' ? null : profile.baseUrl.href,
    is_default: isDefault,
    currency: profile.currency ?? null,
    read_only: profile.readOnly ?? false,
    max_amount: profile.maxAmount ?? null,
    allowed_commands: profile.allowedCommands ? [...profile.allowedCommands] : null,
    credential_command: profile.credentialCommand ?? null,
  }),
});

function limitsOf(record: JsonObject): string {
  const limits = [
    record.read_only === true ? 'read-only' : undefined,
    record.max_amount === null ? undefined : `at most ${textOf(record.max_amount)}`,
    record.allowed_commands === null ? undefined : 'some commands',
  ];
  return limits.filter((limit) => limit !== undefined).join(', ');
}
