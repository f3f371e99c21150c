/**
 * Confirmation on a live profile, before money moves, a record is deleted or a guard is lifted. gw shows what will
 * happen, and the user types the profile's name. Where a list was shown, the user types how many it has.
 */

import { quantity } from '../base/text.ts';
import type { RequestOptions } from '../client/connection/request-options.ts';
import { isNamed, notConfirmed } from '../client/guards/confirmation.ts';
import type { LiveQuestion, ShownLine } from '../client/guards/guard.ts';
import type { Profile } from '../client/profiles/profile.ts';
import { askOrRefuse, explainCancellation, Failure } from '../failure.ts';
import type { CodeOf } from '../failure-codes.ts';
import type { Host } from '../host/host.ts';
import { neutralise } from '../host/redaction/safe.ts';
import { namedProfile } from '../view/text/environment.ts';

/** The tries to type the profile's name. */
const MAX_TRIES = 3;

type Terminal = Pick<Host, 'stderr' | 'prompts'>;

/**
 * Shows a request and asks for confirmation. A dry run only says what the real run would ask.
 * @throws Failure guard unless it was confirmed
 */
export async function confirmLive(host: Terminal, question: LiveQuestion): Promise<void> {
  const { profile, account, effect, command, shown, isDryRun, mayAsk } = question;
  const { name, baseUrl } = profile;
  await host.stderr.write(
    `LIVE: ${effect}\n${shownText([
      ['Command', command],
      ['Profile', namedProfile(profile)],
      ['Account', account],
      ['Gateway', baseUrl.host],
      ...shown,
    ])}`,
  );
  if (!isDryRun) return askForName(host, name, notConfirmed);
  const asks = mayAsk ? `asks you to type ${name}` : 'is refused';
  await host.stderr.write(`The real run ${asks}, unless you add --confirm ${name}.\n`);
}

/** @returns lines of labels and values, without those that have no value */
export function shownText(lines: readonly ShownLine[]): string {
  const said = lines.filter(([, value]) => value !== undefined);
  const widest = Math.max(...said.map(([label]) => label.length));
  return said
    .map(([label, value]) => `  ${label.padEnd(widest)}  ${neutralise(String(value))}\n`)
    .join('');
}

const NOTHING_CHANGED = 'Nothing was changed.';

type ChangeOptions = Pick<RequestOptions, 'confirmedProfile' | 'mayAsk'>;

/** A change of a profile. */
interface ProfileChange {
  host: Terminal;
  profile: Profile;
  options: ChangeOptions;
}

/**
 * @param lifted the effects of a change to a live profile, each a phrase such as `lifts read-only`
 * @throws Failure guard unless it was confirmed with the profile's name
 */
export async function confirmChange(
  change: ProfileChange,
  lifted: readonly string[],
): Promise<void> {
  const { environment } = change.profile;
  if (lifted.length > 0 && environment === 'live') await confirmByName(change, lifted.join(', '));
}

/**
 * Asks for the profile's name before a guard is lost, whether the profile is live or not.
 * @param what the effect, a phrase
 * @throws Failure guard unless it was confirmed with the profile's name
 */
export async function confirmByName(
  { host, profile, options }: ProfileChange,
  what: string,
): Promise<void> {
  const { name, environment } = profile;
  if (isNamed(name, options, notChanged)) return;
  const isLive = environment === 'live';
  const unasked = notChanged(
    'nobody-to-confirm',
    `${isLive ? `${name} is a live profile. ` : ''}gw cannot ask you here to confirm that this ${what}.`,
    `Add --confirm ${name} if you mean it.`,
  );
  await askOrRefuse(options, unasked, async () => {
    await host.stderr.write(`${isLive ? 'LIVE: this' : 'This'} ${what}.\n`);
    await explainCancellation(NOTHING_CHANGED, () => askForName(host, name, notChanged));
  });
}

function notChanged(code: CodeOf<'guard'>, message: string, next: string): Failure {
  return new Failure(code, message, `${NOTHING_CHANGED} ${next}`);
}

/**
 * @param what the count in words, after a list was shown: `how many entries are missing`
 * @throws Failure guard unless that number is typed, or --confirm gives it
 */
export async function confirmCount(
  { prompts }: Pick<Host, 'prompts'>,
  options: ChangeOptions,
  count: number,
  what: string,
): Promise<void> {
  const next = `Read the list above, then add --confirm ${count} if you mean it.`;
  const unasked = notChanged('nobody-to-confirm', `gw cannot ask you here ${what}.`, next);
  const ask = () => prompts.text(`Type ${what} to confirm:`, { isAnew: true });
  const typed =
    options.confirmedProfile ??
    (await askOrRefuse(options, unasked, () => explainCancellation(NOTHING_CHANGED, ask)));
  if (typed === String(count)) return;
  throw notChanged('not-confirmed', `"${typed}" is not ${what}.`, next);
}

/** A user who mistypes the name is asked again and keeps the earlier answers. */
async function askForName(
  { prompts }: Pick<Host, 'prompts'>,
  name: string,
  refused: typeof notConfirmed,
): Promise<void> {
  let left = MAX_TRIES;
  const typed = await prompts.text(`Type the profile name (${name}) to confirm:`, {
    isAnew: true,
    check(text) {
      left -= 1;
      const said = `Not confirmed: this is not the profile name. ${quantity(left, 'try is', 'tries are')} left`;
      return text === name || left === 0 || said;
    },
  });
  if (typed === name) return;
  throw refused(
    'not-confirmed',
    `Not confirmed: ${typed === '' ? 'nothing was typed' : 'what you typed is not the profile name'}.`,
    `Run the command again and type ${name}, or add --confirm ${name}.`,
  );
}
