/** Asks which gateway a profile is for. */

import { Questions } from '../../cli/body/questions.ts';
import type { FlagValues } from '../../cli/flags/flag.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { faultOf } from '../../client/profiles/base-url.ts';
import { promisedEnvironment } from '../../client/profiles/profile.ts';
import { type ProfileChanges, readProfiles } from '../../client/profiles/store.ts';
import { cancelledSaying } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { tellSameCommand } from '../../requests/asking.ts';

type Environment = 'live' | 'sandbox';

/** The gateways there are, each as a choice and as the name of the profile that is for it. */
export const ENVIRONMENTS = [
  { value: 'sandbox', name: 'sandbox', hint: 'for trying things out: no money moves' },
  { value: 'live', name: 'LIVE', hint: 'real cards, real money' },
];

export async function askForEnvironment(questions: Questions, name: string): Promise<Environment> {
  const picked = await questions.select(`What is the gateway of ${name}?`, ENVIRONMENTS);
  const environment = picked === 'live' ? 'live' : 'sandbox';
  questions.answer('environment', environment);
  return environment;
}

/** @returns an address that credentials may be sent to */
export async function askForBaseUrl(
  questions: Questions,
  environment: string | undefined,
): Promise<string> {
  const kind = environment === 'live' ? 'LIVE' : environment;
  const typed = await questions.text(`Base address of the ${kind} gateway (https://…):`, {
    check(value) {
      const fault = faultOf(value.trim());
      return fault === undefined || `The address ${fault}`;
    },
  });
  questions.answer('base-url', typed.trim());
  return typed.trim();
}

interface CompletedChanges {
  changes: ProfileChanges;
  options: Pick<RequestOptions, 'mayAsk'>;
  /** Flags as they were typed. */
  typed: FlagValues;
}

/** @returns the changes, with what a profile that is new cannot do without, where a person is there to say it */
export async function completeChanges(
  { host }: Context,
  name: string,
  { changes, options, typed }: CompletedChanges,
): Promise<ProfileChanges> {
  if (!options.mayAsk || (await readProfiles(host.files)).profiles.has(name)) return changes;
  const questions = new Questions(host.prompts);
  return cancelledSaying('Nothing was changed.', async () => {
    const environment =
      changes.environment ??
      promisedEnvironment(name) ??
      (await askForEnvironment(questions, name));
    const baseUrl = changes.baseUrl ?? (await askForBaseUrl(questions, environment));
    const words = ['profile', 'set', name];
    await tellSameCommand(host.stderr, questions, { words, typed });
    return { ...changes, environment, baseUrl };
  });
}
