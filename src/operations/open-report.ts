/** What every report stands on: whose facts, of when, and by which clock. */
import type { TimeZone } from '../base/time-zone.ts';
import type { FactScope } from '../facts/totals.ts';
import { timeZoneOf } from '../flags/parse-time.ts';
import type { Ledger } from '../journal/ledger.ts';
import type { Profile } from '../profiles/profile.ts';
import { resolveProfile } from '../profiles/resolve.ts';
import type { Context } from '../session/context.ts';
import { openIndexedLedger } from '../session/indexed-ledger.ts';
import { type KnownWhere, knownWhere } from '../session/known-where.ts';
import { gatewayTime } from './gateway-time.ts';

export interface ReportFlags {
  profile?: string | undefined;
  'time-zone'?: string | undefined;
}

export interface Desk {
  context: Context;
  profile: Profile;
  ledger: Ledger;
  scope: FactScope;
  /** By the gateway's clock. */
  instant: Date;
  zone: TimeZone;
  where: KnownWhere;
}

/**
 * Opens the ledger for a report, and closes it after `work`.
 * @throws Failure usage or auth when no profile can be told; guard when the ledger cannot be used
 */
export async function withDesk(
  context: Context,
  flags: ReportFlags,
  work: (desk: Desk) => Promise<void>,
): Promise<void> {
  const { host } = context;
  const zone = timeZoneOf(flags['time-zone']);
  const { profile } = await resolveProfile({
    flag: flags.profile,
    env: host.env,
    files: host.files,
  });
  const ledger = await openIndexedLedger(host, { profile });
  try {
    const instant = await gatewayTime(context, profile);
    const whose = { profile: profile.name, environment: profile.environment };
    const scope = { ...whose, account: await ledger.facts.accountOf(whose) };
    const where = await knownWhere(host, { profile });
    await work({ context, profile, ledger, scope, instant, zone, where });
  } finally {
    await ledger.close();
  }
}
