/** Asks for the gateway of a profile. */

import type { FlagValues } from '../cli/flags/flag.ts';
import type { RequestOptions } from '../client/connection/request-options.ts';
import { faultOf } from '../client/profiles/base-url.ts';
import { promisedEnvironment } from '../client/profiles/profile.ts';
import { type ProfileChanges, readProfiles } from '../client/profiles/store.ts';
import { explainCancellation } from '../failure.ts';
import type { Host } from '../host/host.ts';
import { tellSameCommand } from '../requests/asking.ts';
import { Questions } from '../requests/questions.ts';

type Environment = 'live' | 'sandbox';

/** The kinds of gateways, each as a choice. The value is also the name of its profile. */
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

/** @returns an address to which credentials may be sent */
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
  /** The flags as they were typed. */
  typed: FlagValues;
}

/** @returns the changes; for a new profile, with the required settings, if gw may ask for them */
export async function completeChanges(
  { files, prompts, stderr }: Pick<Host, 'files' | 'prompts' | 'stderr'>,
  name: string,
  { changes, options, typed }: CompletedChanges,
): Promise<ProfileChanges> {
  if (!options.mayAsk || (await readProfiles(files)).profiles.has(name)) return changes;
  const questions = new Questions(prompts);
  return explainCancellation('Nothing was changed.', async () => {
    const environment =
      changes.environment ??
      promisedEnvironment(name) ??
      (await askForEnvironment(questions, name));
    const baseUrl = changes.baseUrl ?? (await askForBaseUrl(questions, environment));
    const words = ['profile', 'set', name];
    questions.end();
    await tellSameCommand(stderr, questions, { words, typed });
    return { ...changes, environment, baseUrl };
  });
}
