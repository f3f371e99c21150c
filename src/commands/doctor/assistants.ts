/** Checks the entries by which programs of assistants start gw, as far as gw knows their files. */
import { readProfiles } from '../../client/profiles/store.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { SECRET_VARIABLES } from '../../host/secret-variables.ts';
import { userFolders } from '../../host/user-folders.ts';
import { type FoundEntry, findEntries } from '../../setup/assistants.ts';
import type { CheckResult } from './check.ts';
import { checked, ok, warning } from './finding.ts';

/** @returns a finding for each faulty entry, or one for all; none if no assistant starts gw */
export async function checkAssistants(host: Pick<Host, 'env' | 'files'>): Promise<CheckResult[]> {
  const folders = userFolders(host);
  const found = folders ? findEntries(host.files, folders) : [];
  if (found.length === 0) return [];
  const read = await orFailure(readProfiles(host.files));
  const names = read instanceof Failure ? [] : ['local', ...read.profiles.keys()];
  const faulty = found.flatMap((entry) => {
    const fault = faultOf(entry, host, names);
    if (fault === undefined) return [];
    const next = 'Run `gw mcp install` with the name of the program and --write.';
    return checked('assistants', warning(`${entry.title} ${fault}.`, next));
  });
  if (faulty.length > 0) return faulty;
  const titles = found.map(({ title }) => title).join(', ');
  return [checked('assistants', ok(`gw is set up in ${titles}`))];
}

/** @returns what is wrong with an entry, as a clause after the program's name */
function faultOf(
  { command, args, variables }: FoundEntry,
  { files }: Pick<Host, 'files'>,
  profiles: readonly string[],
): string | undefined {
  const secret = variables.find((name) => SECRET_VARIABLES.includes(name));
  if (secret !== undefined) return `has ${secret} in its settings, which is no place for a secret`;
  const missing = [command, args[0] ?? ''].find(
    (path) => /[\\/]/.test(path) && files.size(path) === 0,
  );
  if (missing !== undefined) return `starts ${missing}, which is not there`;
  if (!args.includes('mcp')) return 'starts gw without `mcp`';
  const profile = args[args.indexOf('--profile') + 1] ?? '';
  if (args.includes('--profile') && !profiles.includes(profile))
    return `names the profile ${profile}, which does not exist`;
  return undefined;
}
