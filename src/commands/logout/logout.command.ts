import { command } from '../../cli/dispatch/command.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import { interactionFlags } from '../../cli/flags/global-flags.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { ledgerPlace } from '../../client/ledger/place.ts';
import { deleteCredentials } from '../../client/profiles/credentials.ts';
import { LOCAL_PROFILE, type Profile } from '../../client/profiles/profile.ts';
import { resolveProfile } from '../../client/profiles/resolve.ts';
import { askOrRefuse, Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';

export default command({
  summary: 'Delete the credentials of a profile from the keychain',
  erases: true,
  description: `Deletes the username and API token of a profile from the keychain. It also deletes the password
    of its ledger, unless another profile uses it. The profile stays.

    If an entry stays, or the keychain is locked and may have one, gw says so and exits with 3.`,
  examples: ['gw logout', 'gw logout live'],
  args: {
    profile: {
      description:
        'Name of the profile. Default: the default profile; if there is none, gw asks for it.',
    },
  },
  flags: interactionFlags,

  async run(context, { args, flags }) {
    const { keychain, stderr } = context.host;
    const profile = await chosenProfile(
      context.host,
      args.profile,
      requestOptions(context.host, flags),
    );
    await stderr.write(`${await deleteCredentials(keychain, profile.name)}\n`);
    const place = await ledgerPlace(context.host, { profile });
    if (place.kind === 'file') return;
    const { forgetLedgerPassword } = await import('../../client/ledger/forget-ledger-password.ts');
    const said = await forgetLedgerPassword(context.host, profile.name, place.address);
    if (said !== undefined) await stderr.write(`${said}\n`);
  },
});

/** Codes of failures whose advice is to sign in. */
const NOT_SET_UP = new Set(['profile-not-set-up', 'no-profile-set-up']);

/** @throws Failure usage if there is no default profile and gw cannot ask */
async function chosenProfile(
  host: Pick<Host, 'env' | 'files' | 'prompts'>,
  named: string | undefined,
  options: Pick<RequestOptions, 'mayAsk'>,
): Promise<Profile> {
  const resolve = async (flag: string | undefined) =>
    (await resolveProfile({ flag, env: host.env, files: host.files })).profile;
  try {
    return await resolve(named);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (NOT_SET_UP.has(error.code))
      throw error.with({
        next: 'There is nothing to delete. Run `gw profile list` to see your profiles.',
      });
    if (error.code !== 'no-profile-chosen') throw error;
    return askOrRefuse(options, error, async () => {
      const { chooseProfile: askedProfile } = await import('../../requests/asked-argument.ts');
      const asked = { given: undefined, command: 'gw logout', options };
      return resolve(await askedProfile(host, asked, LOCAL_PROFILE.name));
    });
  }
}
