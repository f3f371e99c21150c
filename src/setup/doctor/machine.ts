/** What is looked at of this machine: its profiles, its keychain, its Node. */
import { plural } from '../../base/plural.ts';
import { type ProfileFiles, profilesFile, readProfiles } from '../../client/profiles/store.ts';
import { Failure } from '../../failure.ts';
import type { Keychain, Runtime } from '../../host/host.ts';
import type { Finding } from '../../view/records/check.ts';
import { failed, failedBy, ok, warning } from './finding.ts';

/**
 * Whether profiles.json can be used, and is nobody else's business.
 * @param hasEnvironment whether the environment makes a profile of its own
 */
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

/** Any account will do: what the keychain holds for it is not looked at. */
const SOME_ACCOUNT = 'sandbox';

/**
 * Whether the keychain can be asked. Nobody is asked to unlock it.
 * @param users profiles that keep their credentials there
 */
export async function checkKeychain(
  keychain: Pick<Keychain, 'name' | 'peek'>,
  users: readonly string[],
): Promise<Finding> {
  try {
    await keychain.peek(users[0] ?? SOME_ACCOUNT);
    return ok(`${keychain.name} answers`);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    if (users.length === 0) return ok(`no profile needs one (${withoutEnd(error.message)})`);
    return warning(`${error.message} Needed by ${users.join(', ')}.`, error.next);
  }
}

const withoutEnd = (sentence: string) => sentence.replace(/\.$/, '');

/**
 * Whether gw runs on a Node that it supports.
 * @param runtime whose `supported` is a lower bound, as `>=20.19.0`
 */
export function checkNode({ node, supported }: Pick<Runtime, 'node' | 'supported'>): Finding {
  if (compareVersions(node, supported.replace(/^>=/, '')) >= 0)
    return ok(`${node}; gw runs on ${supported}`);
  return failed(
    'usage',
    `Node ${node} is too old: gw runs on ${supported}.`,
    'Install a newer Node, then check with `node --version`.',
  );
}

/** @returns below zero when the first is the older one, 0 for the same; what follows a dash is left out */
function compareVersions(some: string, other: string): number {
  const [a, b] = [some, other].map((text) => text.replace(/-.*/, '').split('.').map(Number));
  for (const [i, number] of (b ?? []).entries()) {
    const difference = (a?.[i] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  return 0;
}
