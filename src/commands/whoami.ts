import { LOCAL_CREDENTIALS } from '../contract/local-account.ts';
import { GwCommand } from '../dispatch/command.ts';
import { Failure } from '../failure.ts';
import { printFlags, profileFlag } from '../flags/global-flags.ts';
import {
  type Choice,
  type Resolved,
  resolveCredentials,
  resolveProfile,
} from '../profiles/resolve.ts';
import { formatOf, printRecords } from '../view/print-records.ts';

export default class Whoami extends GwCommand {
  static override summary = 'Show which profile and credentials are used, and why';
  static override description =
    'Says which profile the commands would use here, where its credentials come from, and why the other ' +
    'places were passed over. Sends nothing.';
  static override examples = [
    '<%= config.bin %> whoami --profile local',
    '<%= config.bin %> whoami --profile local -o json | jq -r .username',
  ];
  static override flags = { ...profileFlag, ...printFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami);
    const { env, files } = this.host;
    const choice = await resolveProfile({ flag: flags.profile, env, files });
    const resolved = await this.credentialsOf(choice);
    const { profile, why } = resolved instanceof Failure ? choice : resolved;
    const reasons = why.map(({ sentence }) => sentence);
    const isJson = formatOf(flags) === 'json' || formatOf(flags) === 'jsonl';
    const record = {
      profile: profile.name,
      environment: profile.environment,
      base_url: profile.environment === 'local' ? null : profile.baseUrl.href,
      username:
        resolved instanceof Failure
          ? null
          : (resolved.credentials?.username ?? LOCAL_CREDENTIALS.username),
      ...(isJson ? { why: reasons } : {}),
    };
    await printRecords(this.host, flags, [record], { isSingle: true });
    if (!isJson)
      await this.host.stderr.write(`${reasons.map((reason) => `  ${reason}`).join('\n')}\n`);
    if (resolved instanceof Failure) throw resolved;
  }

  /** A profile without credentials is still worth showing. */
  private async credentialsOf(choice: Choice): Promise<Resolved | Failure> {
    try {
      return await resolveCredentials(choice, this.host);
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  }
}
