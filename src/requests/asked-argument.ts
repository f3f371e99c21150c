/** Asks for an argument that was left out: a person picks it from what this machine knows. */

import type { RequestOptions } from '../client/connection/request-options.ts';
import { listProfiles, type ProfileFiles } from '../client/profiles/store.ts';
import { askOrRefuse, explainCancellation, usage } from '../failure.ts';
import type { Choice, Host } from '../host/host.ts';

/** An argument that a command may ask for. */
export interface ArgumentPrompt {
  /** The argument as it was given, if it was. */
  given: string | undefined;
  /** The argument's name in help, `NAME`. */
  argument: string;
  /** The command as it was typed, without the argument: `gw profile use`. */
  command: string;
  question: string;
  /** A sentence that names the command which lists the choices. */
  seen: string;
  options: Pick<RequestOptions, 'mayAsk'>;
  choices(): Promise<readonly Choice[]>;
}

/**
 * @returns the argument that was given, or the choice that was picked
 * @throws Failure usage if it is missing and gw cannot ask, or there is nothing to pick from
 */
export async function chooseArgument(
  { prompts }: Pick<Host, 'prompts'>,
  asked: ArgumentPrompt,
): Promise<string> {
  const { given, argument, command, question, seen, options } = asked;
  if (given !== undefined) return given;
  const said = `Nothing was changed. Write \`${command} ${argument}\`. ${seen}`;
  const missing = usage('argument-missing', `Missing: ${argument}.`, said);
  return askOrRefuse(options, missing, async () => {
    const choices = await asked.choices();
    if (choices.length === 0) throw missing;
    return explainCancellation('Nothing was changed.', () => prompts.select(question, choices));
  });
}

/**
 * @param without a profile that is not offered
 * @returns the name of a profile, as `chooseArgument`
 */
export async function chooseProfile(
  host: Pick<Host, 'files' | 'prompts'>,
  asked: Pick<ArgumentPrompt, 'given' | 'command' | 'options'>,
  without?: string,
): Promise<string> {
  return chooseArgument(host, {
    ...asked,
    argument: 'NAME',
    question: 'Profile:',
    seen: '`gw profile list` shows the names.',
    choices: async () => {
      const choices = await profileChoices(host.files);
      return choices.filter(({ value }) => value !== without);
    },
  });
}

/** @returns the profiles, each with what its gateway is */
export async function profileChoices(files: ProfileFiles): Promise<Choice[]> {
  const listed = await listProfiles(files);
  return listed.map(({ profile: { name, environment, baseUrl } }) => ({
    value: name,
    name,
    hint:
      environment === 'local'
        ? 'the built-in test gateway, on this machine'
        : `${environment === 'live' ? 'LIVE' : environment}, ${baseUrl.host}`,
  }));
}
