import type { JsonObject } from '../../base/json.ts';
import type { Profile } from '../../profiles/profile.ts';

/** @returns a profile as it is printed; it has no secrets */
export function profileRecord(profile: Profile, isDefault: boolean): JsonObject {
  return {
    name: profile.name,
    environment: profile.environment,
    base_url: profile.environment === 'local' ? null : profile.baseUrl.href,
    is_default: isDefault,
    currency: profile.currency ?? null,
    read_only: profile.readOnly ?? false,
    max_amount: profile.maxAmount ?? null,
    allowed_commands: profile.allowedCommands ? [...profile.allowedCommands] : null,
    credential_command: profile.credentialCommand ?? null,
  };
}
