/** An argument that was left out: picked from what is known here, where somebody is there to pick. */

import type { RequestOptions } from '../client/connection/request-options.ts';
import { listProfiles } from '../client/profiles/store.ts';
import { cancelledSaying, type Failure, type FailureDetails, usage } from '../failure.ts';
import type { Choice, Host } from '../host/host.ts';

/** What is asked for. */
export interface ArgumentPrompt {
  /** As it was given, if it was. */
  given: string | undefined;
  /** What the argument is called in help, `NAME`. */
  argument: string;
  /** What was typed, without the argument: `gw profile use`. */
  command: string;
  question: string;
  /** A sentence: which command shows what there is. */
  seen: string;
  options: Pick<RequestOptions, 'mayAsk'>;
  choices(): Promise<readonly Choice[]>;
}

/**
 * @returns what was given, or what was picked
 * @throws Failure usage where it is missing, and nobody is there to ask or there is nothing to pick from
 */
export async function askedArgument(host: Host, asked: ArgumentPrompt): Promise<string> {
  const { given, argument, command, question, seen, options } = asked;
  if (given !== undefined) return given;
  const choices = options.mayAsk ? await asked.choices() : [];
  if (choices.length === 0) {
    throw missingArgument(
      argument,
      `Nothing was changed. Write \`${command} ${argument}\`. ${seen}`,
    );
  }
  return cancelledSaying('Nothing was changed.', () => host.prompts.select(question, choices));
}

/**
 * @param argument what it is called in help, `NAME`
 * @param next what to do, in whole sentences
 * @param details `sent: false` where the command would have sent something
 * @returns the failure of a command without an argument that nobody is there to ask for
 */
export function missingArgument(
  argument: string,
  next: string,
  details: Pick<FailureDetails, 'sent'> = {},
): Failure {
  return usage('argument-missing', `Missing: ${argument}.`, next, details);
}

/** @param without a profile that cannot be meant. @returns the name of a profile, as `askedArgument` */
export async function askedProfile(
  host: Host,
  asked: Pick<ArgumentPrompt, 'given' | 'command' | 'options'>,
  without?: string,
): Promise<string> {
  return askedArgument(host, {
    ...asked,
    argument: 'NAME',
    question: 'Profile:',
    seen: '`gw profile list` shows the names.',
    choices: async () => {
      const choices = await profileChoices(host);
      return choices.filter(({ value }) => value !== without);
    },
  });
}

/** @returns the profiles, each with what its gateway is */
export async function profileChoices({ files }: Pick<Host, 'files'>): Promise<Choice[]> {
  const listed = await listProfiles(files);
  return listed.map(({ profile: { name, environment, baseUrl } }) => ({
    value: name,
    name,
    hint:
      environment === 'local'
        ? 'the embedded gateway, on this machine'
        : `${environment === 'live' ? 'LIVE' : environment}, ${baseUrl.host}`,
  }));
}
