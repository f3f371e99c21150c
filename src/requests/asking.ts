/**
 * Everything around the questions of a command that sends something. First the profile, if none is chosen, then limits
 * and credentials. After the last question a summary, and at the end the same command without questions. If nothing is
 * asked, none of this is printed.
 */

import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { capitalised } from '../base/text.ts';
import type { CommandOptions } from '../cli/flags/command-options.ts';
import type { FlagValues } from '../cli/flags/flag.ts';
import type { CallInput } from '../client/exchange/wire-request.ts';
import type { ShownLine } from '../client/guards/guard.ts';
import { maskCardNumber } from '../contract/cards/card-number.ts';
import { moneyText } from '../contract/money.ts';
import type { Operation } from '../contract/operation.ts';
import { rowForRequest } from '../contract/operations.ts';
import type { RecordKind } from '../contract/record.ts';
import { askOrRefuse, cancellation, Failure } from '../failure.ts';
import type { Host, Output } from '../host/host.ts';
import { namedProfile } from '../view/text/environment.ts';
import { askForNote } from './ask-note.ts';
import { profileChoices } from './asked-argument.ts';
import { shownText } from './confirm-live.ts';
import type { CommandSession } from './known/meant-record.ts';
import type { KnownHost } from './known/open-ledger.ts';
import { Questions } from './questions.ts';
import { type SaidWords, SECRETS, sameCommand } from './same-command.ts';
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
  /** The request that the command is to send. */
  operation: Operation;
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
  { operation, words: given, request, output, typed, prints }: AskingSettings,
  work: (asking: Dialog) => Promise<void>,
): Promise<void> {
  const { host } = context;
  // A proposal takes the words of the request.
  const words = request.isProposal ? given.with(1, 'propose') : given;
  const questions = new Questions(host.prompts);
  const session = await openSession(context, { operation, request, output, prints }).catch(
    async (error) => {
      if (!lacksProfile(error)) throw error;
      const profile = await askOrRefuse(request, error, () => pickProfile(host, questions));
      return openSession(context, { operation, request: { ...request, profile }, output, prints });
    },
  );
  const asking = { host, session, questions, words, typed, operation };
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
 * @param also what else the command does
 * @throws Failure interrupted if the user says no
 */
export async function summarise(
  asking: Dialog,
  operation: Operation,
  input: CallInput,
  also: readonly ShownLine[] = [],
): Promise<void> {
  const { host, session, questions, words } = asking;
  const { gateway, profile, options } = session;
  if (profile.requireNote) await askForNote(asking, operation, input);
  questions.end();
  if (!questions.wereAsked || options.isDryRun) return;
  const isLive = profile.environment === 'live';
  const { effect } = rowForRequest(operation, input);
  const isConfirmedByName = effect === 'money' || effect === 'destroy';
  if (isLive && !options.isProposal && isConfirmedByName && options.confirmedProfile === undefined)
    return;
  const lines: ShownLine[] = [
    ['Command', words.slice(0, operation.name.split(' ').length).join(' ')],
    ['Profile', namedProfile(profile)],
    ['Record', input.id && (await named(asking, operation.kind, input.id))],
    ...(await linesOfRequest(asking, operation, input)),
    ...(await gateway.confirmation.linesOfTarget(operation, input)),
    ['Note', gateway.ledger.note ?? undefined],
    ...also,
  ];
  await host.stderr.write(shownText(lines));
  const isMeant = options.isProposal
    ? await questions.confirm('Propose it?')
    : await questions.confirm('Send it?');
  if (!isMeant) throw cancellation();
}

/** Fields that name whose card is charged. */
const WHOSE = [
  ['customer', 'customer'],
  ['card_token', 'card'],
] as const;

/** @returns the name of a record, and whose it is as far as this machine knows */
async function named(asking: Dialog, kind: RecordKind, name: string): Promise<string> {
  const { whose } = await import('./known/meant-record.ts');
  const who = await whose(asking, kind, name);
  const isPerson = kind === 'customer' || kind === 'card';
  if (who === undefined && !isPerson) return name;
  return `${name} (${who ?? 'not known here'})`;
}

async function linesOfRequest(
  asking: Dialog,
  operation: Operation,
  input: CallInput,
): Promise<ShownLine[]> {
  const { gateway } = asking.session;
  const charges = await gateway.confirmation.chargeLines(operation, input);
  const body = { ...input.body };
  for (const [field, kind] of WHOSE) {
    const name = body[field];
    if (typeof name === 'string') body[field] = await named(asking, kind, name);
  }
  const lines = linesOf(body, await gateway.ledger.currencyOf(operation, input));
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
  ip_address: 'IP address',
  card_token: 'Card',
  card_holder: 'Name',
  card_expiry: 'Expiry',
  expiry_date: 'Expiry',
  is_active: 'Active',
};

function labelOf(name: string): string {
  return LABELS[name] ?? capitalised(name.replaceAll('_', ' '));
}

/**
 * If something was asked, prints the command that would have needed no questions, if there is one. A card that was typed
 * comes from stdin in it. In the middle of the questions, gw asks for an expected card again, but nobody can be asked
 * while stdin has one.
 * @param beside what else the command takes
 */
export async function tellSameCommand(
  stderr: Pick<Output, 'write'>,
  { wereAsked, areDone, answered, args, meant }: Questions,
  { words, ...said }: Omit<SaidWords, 'answered' | 'meant'>,
  beside = '',
): Promise<void> {
  const { typed } = said;
  const hasSecret = SECRETS.some((name) => typed[name] !== undefined);
  const kept = answered.filter(({ isAskedAgain }) => areDone || !isAskedAgain);
  if (!wereAsked) return;
  if (!areDone && (hasSecret || kept.length + args.length === 0)) return;
  const isOnStdin = hasSecret || kept.some(({ flag }) => flag === 'card-file');
  if (isOnStdin && typed.input === '-') return;
  const all = { ...said, words: [...words, ...args], answered: kept, meant, isOnStdin };
  const command = sameCommand(all);
  if (command === undefined) return;
  const what = areDone ? `The same without questions${beside}` : 'To go on where you stopped';
  const card = typed['card-token'] === undefined ? 'card' : 'CVV';
  const how = isOnStdin ? `, with the ${card} as JSON on stdin` : '';
  await stderr.write(`${what}${how}:\n  ${command}\n`);
}
