/**
 * Everything around the questions of a command that sends something. First the profile, if none is chosen, then limits
 * and credentials. After the last question a summary, and at the end the same command without questions. If nothing is
 * asked, none of this is printed.
 */

import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { commandText } from '../base/shell.ts';
import { capitalised } from '../base/text.ts';
import type { CommandOptions } from '../cli/flags/command-options.ts';
import type { FlagValues } from '../cli/flags/flag.ts';
import type { CallInput } from '../client/exchange/wire-request.ts';
import type { ShownLine } from '../client/guards/guard.ts';
import { ENVIRONMENT_PROFILE, type Profile } from '../client/profiles/profile.ts';
import { maskCardNumber } from '../contract/cards/card-number.ts';
import { moneyText } from '../contract/money.ts';
import type { Operation } from '../contract/operation.ts';
import { rowForRequest } from '../contract/operations.ts';
import { askOrRefuse, cancellation, Failure } from '../failure.ts';
import type { Host, Output } from '../host/host.ts';
import { namedProfile } from '../view/text/environment.ts';
import { profileChoices } from './asked-argument.ts';
import { shownText } from './confirm-live.ts';
import type { CommandSession } from './known/named-record.ts';
import type { KnownHost } from './known/open-ledger.ts';
import { type GivenAnswer, Questions } from './questions.ts';
import { openSession, type Session, type SessionContext } from './session.ts';

/** Failures after which the user must not send the command again: it may have done something. */
const UNREPEATABLE: ReadonlySet<string> = new Set(['unknown', 'incomplete', 'unread']);

/** A command that may ask. */
export interface Dialog extends CommandSession {
  host: KnownHost & Pick<Host, 'pass' | 'readNamed' | 'stdin'>;
  questions: Questions;
  /** Words after `gw`, arguments included. */
  words: readonly string[];
  /** Flags as they were typed. */
  typed: FlagValues;
}

interface AskingSettings extends CommandOptions {
  operation: Operation;
  /** Words after `gw`, arguments included. */
  words: readonly string[];
}

/**
 * Does the work of a command that sends something, with a session and questions. If no profile is chosen, the user picks
 * one from a list. At the end the same command without questions is printed, after a failure too if it may be repeated.
 * @throws Failure if no profile can be used, or a check that needs no answers refuses; and what `work` throws
 */
export async function withAsking(
  context: SessionContext & Pick<Dialog, 'host'>,
  { operation, words, request, output, typed }: AskingSettings,
  work: (asking: Dialog) => Promise<void>,
): Promise<void> {
  const { host } = context;
  const questions = new Questions(host.prompts);
  const session = await openSession(context, { operation, request, output }).catch(
    async (error) => {
      if (!lacksProfile(error)) throw error;
      const profile = await askOrRefuse(request, error, () => pickProfile(host, questions));
      return openSession(context, { operation, request: { ...request, profile }, output });
    },
  );
  const asking = { host, session, questions, words, typed };
  try {
    await questions.preparedBy(() => prepare(host, session, operation));
    await work(asking);
    await tellCommand(asking);
  } catch (error) {
    // An answer that names no record would only fail again.
    const isOfAnswer = error instanceof Failure && error.kind === 'notFound' && !questions.areDone;
    if (error instanceof Failure && !UNREPEATABLE.has(error.kind) && !isOfAnswer)
      await tellCommand(asking);
    throw await session.printAnswerTo(error);
  } finally {
    await session.close();
  }
}

/** @returns whether nothing says which profile to use */
export function lacksProfile(error: unknown): error is Failure {
  const codes = ['no-profile-chosen', 'no-profile-set-up'];
  return error instanceof Failure && codes.includes(error.code);
}

async function pickProfile(
  { files, stderr }: Pick<Host, 'files' | 'stderr'>,
  questions: Questions,
): Promise<string> {
  const choices = await profileChoices(files);
  if (choices.length === 1)
    await stderr.write('No profile is set up yet: `gw login sandbox` signs in to a gateway.\n');
  return questions.select('Profile:', choices);
}

/** Before the first question, runs every check that does not depend on the answers. */
async function prepare(
  { stderr }: Pick<Host, 'stderr'>,
  session: Session,
  operation: Operation,
): Promise<void> {
  await session.gateway.admit(operation);
  const { name, environment, baseUrl } = session.profile;
  if (environment !== 'live') return;
  await stderr.write(`LIVE: profile ${name} at ${baseUrl.host}.\n`);
}

/** Prints the same command without questions, if some were asked. */
async function tellCommand({
  host,
  session: { profile },
  questions,
  words,
  typed,
}: Dialog): Promise<void> {
  // The redactor must leave the record's name as it was typed, or the command would name another record.
  for (const id of [...words, ...questions.args]) host.pass({ id });
  await tellSameCommand(host.stderr, questions, { words, typed, profile });
}

/**
 * After the last question, shows what is about to be sent and asks for a final yes. A live request that is confirmed by
 * typing the profile's name needs no second confirmation.
 * @throws Failure interrupted if the user says no
 */
export async function summarise(
  { host, session, questions }: Dialog,
  operation: Operation,
  input: CallInput,
): Promise<void> {
  const { gateway, profile, options } = session;
  questions.end();
  if (!questions.wereAsked || options.isDryRun) return;
  const isLive = profile.environment === 'live';
  const { effect } = rowForRequest(operation, input);
  const isConfirmedByName = effect === 'money' || effect === 'destroy';
  if (isLive && isConfirmedByName && options.confirmedProfile === undefined) return;
  const lines: ShownLine[] = [
    ['Command', operation.name],
    ['Profile', namedProfile(profile)],
    ['Record', input.id],
    ...(await linesOfRequest(session, operation, input)),
    ...(await gateway.confirmation.linesOfTarget(operation, input)),
  ];
  await host.stderr.write(shownText(lines));
  if (!(await questions.confirm('Send it?'))) throw cancellation();
}

async function linesOfRequest(
  { gateway }: Session,
  operation: Operation,
  input: CallInput,
): Promise<ShownLine[]> {
  const charges = await gateway.confirmation.chargeLines(operation, input);
  const lines = linesOf(input.body ?? {}, await gateway.ledger.currencyOf(operation, input));
  const said = [...charges.map(([label]) => label), ...(charges.length > 0 ? ['Start date'] : [])];
  return [...charges, ...lines.filter(([label]) => !said.includes(label))];
}

/** @returns the fields of a body, with the card masked and without its CVV */
function linesOf(body: JsonObject, currency: string | undefined): ShownLine[] {
  return Object.entries(body).flatMap(([name, value]): ShownLine[] => {
    if (name === 'cvv' || name === 'currency') return [];
    if (isObject(value)) return linesOf(value, currency);
    return [[labelOf(name), shownValue(name, value, currency)]];
  });
}

function shownValue(name: string, value: Json, currency: string | undefined): string {
  if (name === 'amount' && typeof value === 'number')
    return currency === undefined ? `${value} minor units` : moneyText(value, currency);
  if (name === 'card_number') return maskCardNumber(String(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

const LABELS: Readonly<Record<string, string>> = {
  transaction_id: 'Purchase',
  card_number: 'Card',
  card_token: 'Card',
  card_holder: 'Name',
  card_expiry: 'Expiry',
  expiry_date: 'Expiry',
  is_active: 'Active',
};

function labelOf(name: string): string {
  return LABELS[name] ?? capitalised(name.replaceAll('_', ' '));
}

// The command that gives the answers to questions as flags. Secrets are left out.

const SECRETS = ['card-number', 'cvv'];
/** Flags that stdin replaces where it has the card. */
const OTHER_CARDS = new Set(['card-file', 'test-card']);
/** Flags that are given in other ways than on the command line, or that the profile already says. */
const LEFT_OUT = new Set(['profile', 'no-input', 'plain', ...SECRETS]);

interface SaidWords {
  /** Words after `gw`, arguments included. */
  words: readonly string[];
  /** Flags as they were typed. */
  typed: FlagValues;
  answered: readonly GivenAnswer[];
  profile?: Pick<Profile, 'name'> | undefined;
}

/**
 * If something was asked, prints the command that would have needed no questions, if there is one. A card that was typed
 * comes from stdin in it. In the middle of the questions, gw asks for an expected card again, but nobody can be asked
 * while stdin has one.
 * @param beside what else the command takes
 */
export async function tellSameCommand(
  stderr: Pick<Output, 'write'>,
  { wereAsked, areDone, answered, args }: Questions,
  { words, ...said }: Omit<SaidWords, 'answered'>,
  beside = '',
): Promise<void> {
  const { typed } = said;
  const hasSecret = SECRETS.some((name) => typed[name] !== undefined);
  const kept = answered.filter(({ isAskedAgain }) => areDone || !isAskedAgain);
  if (!wereAsked) return;
  if (!areDone && (hasSecret || kept.length + args.length === 0)) return;
  const isOnStdin = hasSecret || kept.some(({ flag }) => flag === 'card-file');
  if (isOnStdin && typed.input === '-') return;
  const command = sameCommand({ ...said, words: [...words, ...args], answered: kept, isOnStdin });
  if (command === undefined) return;
  const what = areDone ? `The same without questions${beside}` : 'To go on where you stopped';
  const card = typed['card-token'] === undefined ? 'card' : 'CVV';
  const how = isOnStdin ? `, with the ${card} as JSON on stdin` : '';
  await stderr.write(`${what}${how}:\n  ${command}\n`);
}

/**
 * @returns for example `gw purchase create -p sandbox --amount 2500 --reference INV-1`; undefined if a word cannot be
 *   typed in a terminal
 */
function sameCommand(said: SaidWords & { isOnStdin: boolean }): string | undefined {
  const { words, typed, answered, profile, isOnStdin } = said;
  const isNamed = profile !== undefined && profile.name !== ENVIRONMENT_PROFILE;
  return commandText(words, [
    ['profile', isNamed ? profile.name : undefined],
    ...Object.entries(typed).filter(
      ([name]) => !LEFT_OUT.has(name) && !(isOnStdin && OTHER_CARDS.has(name)),
    ),
    ['card-file', isOnStdin ? '-' : undefined],
    ...answered
      .filter(({ flag }) => flag !== 'card-file')
      .map(({ flag, value }) => [flag, value] as const),
  ]);
}
