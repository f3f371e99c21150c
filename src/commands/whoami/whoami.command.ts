import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { printFlags, profileFlag } from '../../cli/flags/global-flags.ts';
import { authorOf, type LedgerSources, ledgerPlace } from '../../client/ledger/place.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { accountOf } from '../../client/profiles/profile.ts';
import { resolveCredentials, resolveProfile } from '../../client/profiles/resolve.ts';
import { LOCAL_CREDENTIALS } from '../../contract/local-account.ts';
import { Failure, orFailure } from '../../failure.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { formatOf, printRecords, showsWholeRecords } from '../../view/print-records.ts';
import { settingsOf, WHOAMI_VIEW } from '../../view/records/profile.ts';

export default command({
  summary: 'Show the profile, account and limits that gw uses, and why',
  description: `Says which profile commands use here, where its credentials come from, and why gw
    ignores others. --profile shows another profile. gw sends nothing.

    \`account\` is the environment and the username, by which the journal recognises
    the account. For a gateway of this machine, it ends with the port.

    The journal records \`operator\` and \`machine\` with each request. The operator is
    GW_OPERATOR, otherwise the user.`,
  prints: WHOAMI_VIEW,
  examples: ['gw whoami --profile local', 'gw whoami --profile local --jq .username'],
  flags: { ...profileFlag, ...printFlags },

  async run(context, { flags }) {
    const { env, files } = context.host;
    const output = outputOptions(flags);
    const choice = await resolveProfile({ flag: flags.profile, env, files });
    // A profile without credentials is still worth showing.
    const resolved = await orFailure(resolveCredentials(choice, context.host));
    const { profile, why } = resolved instanceof Failure ? choice : resolved;
    const ledger = await ledgerInUse(context.host, profile);
    const reasons = [...why.map(({ sentence }) => sentence), ledger.because];
    const username =
      resolved instanceof Failure
        ? null
        : (resolved.credentials?.username ?? LOCAL_CREDENTIALS.username);
    const isWhole = showsWholeRecords(formatOf(output));
    const record = {
      profile: profile.name,
      environment: profile.environment,
      base_url: profile.environment === 'local' ? null : profile.baseUrl.href,
      username,
      account: username === null ? null : accountOf(profile.environment, username, profile.baseUrl),
      ...settingsOf(profile),
      ledger: ledger.label,
      ledger_command: profile.ledgerCommand ?? null,
      ...authorOf(context.host),
      ...(isWhole ? { why: reasons } : {}),
    };
    await printRecords(context.host, output, [record], { kind: WHOAMI_VIEW, isSingle: true });
    if (!isWhole)
      await context.host.stderr.write(`${reasons.map((reason) => `  ${reason}`).join('\n')}\n`);
    if (resolved instanceof Failure) throw resolved;
  },
});

/** The ledger of the profile's requests, and the reason why it is that one. */
async function ledgerInUse(host: LedgerSources, profile: Profile) {
  const place = await ledgerPlace(host, { profile });
  if (place.kind === 'file')
    return {
      label: place.path,
      because: `The ledger is a file on this machine, because the profile ${profile.name} names no other.`,
    };
  const label = labelOfAddress(place.address);
  const because =
    place.chosenBy === 'GW_LEDGER_URL'
      ? `The ledger is ${label}, from GW_LEDGER_URL.`
      : `The ledger is ${label}, from the profile ${profile.name}.`;
  return { label, because };
}
