/**
 * Checks the entries by which programs of assistants start gw, as far as gw knows their files.
 *
 * Tests: test/system/mcp.test.ts
 */
import { Failure, orFailure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { SECRET_VARIABLES } from '../../host/secret-variables.ts';
import { userFolders } from '../../host/user-folders.ts';
import { type FoundEntry, findEntries } from '../../setup/assistants.ts';
import { servedProfile } from '../../setup/served-profile.ts';
import type { CheckResult, Finding } from './check.ts';
import { checked, ok, warning } from './finding.ts';

/** @returns a finding for each faulty entry, or one for all; none if no assistant starts gw */
export async function checkAssistants(host: Pick<Host, 'env' | 'files'>): Promise<CheckResult[]> {
  const folders = userFolders(host);
  const found = folders ? findEntries(host.files, folders) : [];
  const findings = await Promise.all(found.map((entry) => findingOfEntry(entry, host)));
  const faulty = findings.filter(({ state }) => state !== 'ok');
  if (faulty.length > 0) return faulty.map((finding) => checked('assistants', finding));
  const titles = found.map(({ title }) => title).join(', ');
  return found.length === 0 ? [] : [checked('assistants', ok(`gw is set up in ${titles}`))];
}

const AGAIN = 'Run `gw mcp install` with the name of the program and --write.';

/** The profile is judged as `gw mcp` judges it when it starts. */
async function findingOfEntry(
  { title, command, args, variables }: FoundEntry,
  host: Pick<Host, 'env' | 'files'>,
): Promise<Finding> {
  const secret = variables.find((name) => SECRET_VARIABLES.includes(name));
  if (secret !== undefined)
    return warning(
      `${title} has ${secret} in its settings, which is no place for a secret.`,
      AGAIN,
    );
  const missing = [command, args[0] ?? ''].find(
    (path) => /[\\/]/.test(path) && host.files.size(path) === 0,
  );
  if (missing !== undefined)
    return warning(`${title} starts ${missing}, which is not there.`, AGAIN);
  if (!args.includes('mcp')) return warning(`${title} starts gw without \`mcp\`.`, AGAIN);
  const at = args.indexOf('--profile');
  const served = await orFailure(
    servedProfile(host, {
      profile: at === -1 ? undefined : args[at + 1],
      isLive: args.includes('--live'),
      mayPropose: args.includes('--allow-proposals'),
    }),
  );
  return served instanceof Failure
    ? warning(`${title} cannot start gw. ${served.message}`, served.next)
    : ok(title);
}
