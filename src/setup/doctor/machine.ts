/** Whether profiles.json can be used, and is nobody else's business. */
import { plural } from '../../base/plural.ts';
import { type ProfileFiles, profilesFile, readProfiles } from '../../client/profiles/store.ts';
import { Failure } from '../../failure.ts';
import type { Finding } from '../../view/records/check.ts';
import { failedBy, ok, warning } from './finding.ts';

/** @param hasEnvironment whether the environment makes a profile of its own */
export async function checkConfiguration(
  files: ProfileFiles,
  hasEnvironment: boolean,
): Promise<Finding> {
  try {
    const { profiles, default: name } = await readProfiles(files);
    const file = profilesFile(files);
    if (profiles.size === 0) {
      return hasEnvironment
        ? ok('no profile is stored; the environment defines one')
        : warning(
            'No profile is set up on this machine.',
            'Run `gw login sandbox`, or try gw without a gateway: `gw plan list --profile local`.',
          );
    }
    const count = `${profiles.size} ${plural(profiles.size, 'profile', 'profiles')} in ${file}`;
    if (name === undefined) return ok(`${count}, none of them the default`);
    if (profiles.has(name)) return ok(`${count}; ${name} is the default`);
    return warning(
      `The default profile ${name} is not in ${file}.`,
      `Choose another, for example with \`gw profile use ${[...profiles.keys()][0]}\`.`,
    );
  } catch (error) {
    if (error instanceof Failure) return failedBy(error);
    throw error;
  }
}
