/** The settings of a profile as a list: each with its value, and with the flag that changes it. */
import type { Json } from '../../base/json.ts';
import type { Flag } from '../../cli/flags/flag.ts';
import { profileFlags } from '../../cli/flags/profile-flags.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { resolveProfile } from '../../client/profiles/resolve.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { lacksProfile } from '../../requests/asking.ts';
import { cuttable, fieldColumn, idFromFields, ownView } from '../../view/columns.ts';
import { type OutputOptions, printRecords } from '../../view/print-records.ts';
import { PROFILE_VIEW } from '../../view/records/profile.ts';

export const SETTING_VIEW = ownView<{ name: string; value: Json; flag: string }>({
  name: 'setting',
  plural: 'settings',
  mayHave: ['name', 'value', 'flag'],
  id: idFromFields(['name']),
  columns: [fieldColumn('name'), fieldColumn('value', cuttable), fieldColumn('flag')],
});

/** @returns every setting by its flag: its name as in the record of a profile, its value, and how it is typed */
export function settingsOf(profile: Partial<Profile>) {
  const record = PROFILE_VIEW.record({ profile, isDefault: false, next: null });
  const flags: [string, Flag][] = Object.entries(profileFlags);
  return new Map(
    flags.map(([flag, typed]) => {
      const name = flag === 'keep' ? 'keep_days' : flag.replaceAll('-', '_');
      const words = typed.type === 'option' && (typed.helpValue ?? `<${typed.options?.join('|')}>`);
      const how = words ? `--${flag} ${words}` : `--[no-]${flag}`;
      return [flag, { name, value: record[name] ?? null, flag: how }];
    }),
  );
}

/** Prints the settings of a profile: of the one in use, or of a new one, if none is named. */
export async function printSettings(
  host: Host,
  named: string | undefined,
  output: OutputOptions,
): Promise<void> {
  const sources = { flag: named, env: host.env, files: host.files };
  const found = await orFailure(resolveProfile(sources));
  if (found instanceof Failure && !lacksProfile(found)) throw found;
  const { profile } = found instanceof Failure ? { profile: undefined } : found;
  const whose = profile?.name ?? 'a new profile, because none is in use';
  if (named === undefined) await host.stderr.write(`These are the settings of ${whose}.\n`);
  const records = [...settingsOf(profile ?? {}).values()].map(SETTING_VIEW.record);
  await printRecords(host, output, records, { kind: SETTING_VIEW });
}
