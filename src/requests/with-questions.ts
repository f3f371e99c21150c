/**
 * What surrounds the questions of a command that sends something: the profile, where none is chosen; limits
 * and credentials before the first question; a summary after the last; the same command without questions at
 * the end. Where nothing is asked, nothing of it is said.
 */
import { capitalised } from '../base/capitalised.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { Questions } from '../cli/body/questions.ts';
import { mayAsk } from '../cli/flags/may-ask.ts';
import { type ShownLine, shownText } from '../client/connection/guard.ts';
import type { Session } from '../client/connection/session.ts';
import type { CallInput } from '../client/exchange/wire-request.ts';
import { maskCardNumber } from '../contract/cards/card-number.ts';
import { moneyText } from '../contract/money.ts';
import type { Operation } from '../contract/operation.ts';
import { asAsked } from '../contract/operations.ts';
import { cancelled, Failure } from '../failure.ts';
import type { Context } from '../host/context.ts';
import { namedProfile } from '../view/text/environment.ts';
import { profileChoices } from './asked-argument.ts';
import { type SessionFlags, type SessionShape, withSession } from './look-up/run-get.ts';
import { tellSameCommand } from './same-command.ts';

/** What may be sent again as it is, or corrected: nothing is known to have been done. */
const REPEATABLE: ReadonlySet<string> = new Set(['declined', 'rejected', 'notFound', 'usage']);

/** One command: what it is called, and what it was given. */
export interface Asking extends SessionShape {
  /** Words after `gw`, arguments included. */
  words: readonly string[];
}

/**
 * As `withSession`, with questions. Where no profile is chosen, one is picked from a list.
 * @param work asks and sends; what it answers by way of questions ends in the command that is told
 */
export async function withQuestions(
  context: Context,
  asking: Asking,
  work: (session: Session, questions: Questions) => Promise<void>,
): Promise<void> {
  const questions = new Questions(context.host.prompts);
  const run = (flags: SessionFlags) =>
    withSession(context, { ...asking, flags }, async (session) => {
      await questions.preparedBy(() => prepare(context, session, asking.operation));
      await tellingCommand(context, { asking, session, questions }, () => work(session, questions));
    });
  try {
    await run(asking.flags);
  } catch (error) {
    if (!lacksProfile(error) || !mayAsk(context.host, asking.flags)) throw error;
    await run({ ...asking.flags, profile: await pickProfile(context, questions) });
  }
}

function lacksProfile(error: unknown): boolean {
  const codes = ['no-profile-chosen', 'no-profile-set-up'];
  return error instanceof Failure && codes.includes(error.code);
}

async function pickProfile({ host }: Context, questions: Questions): Promise<string> {
  const choices = await profileChoices(host);
  if (choices.length === 1)
    await host.stderr.write(
      'No profile is set up yet: `gw login sandbox` signs in to a gateway.\n',
    );
  return questions.choose('Profile:', choices);
}

/** Before the first question: everything that would be refused whatever is answered. */
async function prepare({ host }: Context, session: Session, operation: Operation): Promise<void> {
  await session.gateway.admit(operation);
  const { name, environment, baseUrl } = session.profile;
  if (environment !== 'live') return;
  await host.stderr.write(`LIVE: profile ${name} at ${baseUrl.host}.\n`);
}

interface Told {
  asking: Asking;
  session: Session;
  questions: Questions;
}

async function tellingCommand(
  { host }: Context,
  { asking: { words, flags }, session, questions }: Told,
  work: () => Promise<void>,
): Promise<void> {
  const { profile } = session;
  const tell = () =>
    tellSameCommand(host.stderr, questions, { words, flags: { ...flags }, profile });
  try {
    await work();
  } catch (error) {
    if (error instanceof Failure && REPEATABLE.has(error.kind)) await tell();
    throw error;
  }
  await tell();
}

/**
 * After the last question: what is about to be sent, and a last question. A live profile that has its name
 * typed says as much by itself.
 * @throws Failure interrupted when it is not to be sent
 */
export async function summarise(
  { host }: Pick<Context, 'host'>,
  { session, questions }: Pick<Told, 'session' | 'questions'>,
  operation: Operation,
  input: CallInput,
): Promise<void> {
  const { profile, options } = session;
  if (!questions.wereAsked || options.isDryRun) return;
  const isLive = profile.environment === 'live';
  const { effect } = asAsked(operation, input);
  const isConfirmedByName = effect === 'money' || effect === 'destroy';
  if (isLive && isConfirmedByName && options.confirmedProfile === undefined) return;
  const lines: ShownLine[] = [
    ['Command', operation.name],
    ['Profile', namedProfile(profile)],
    ['Record', input.id],
    ...(await linesOfRequest(session, operation, input)),
    ...(await session.gateway.shownOfTarget(operation, input)),
  ];
  await host.stderr.write(shownText(lines));
  if (!(await questions.confirm('Send it?', true))) throw cancelled('Nothing was sent.');
}

async function linesOfRequest(
  session: Session,
  operation: Operation,
  input: CallInput,
): Promise<ShownLine[]> {
  const charges = await session.gateway.chargeLines(operation, input);
  const lines = linesOf(input.body ?? {}, await session.gateway.currencyOf(operation, input));
  const said = [...charges.map(([label]) => label), ...(charges.length > 0 ? ['Start date'] : [])];
  return [...charges, ...lines.filter(([label]) => !said.includes(label))];
}

/** @returns what a body has, the card masked and without its CVV */
function linesOf(body: JsonObject, currency: string | undefined): ShownLine[] {
  return Object.entries(body).flatMap(([name, value]): ShownLine[] => {
    if (name === 'cvv' || name === 'currency') return [];
    if (isObject(value)) return linesOf(value, currency);
    return [[labelOf(name), shownValue(name, value, currency)]];
  });
}

function shownValue(name: string, value: Json, currency: string | undefined): string {
  if (name === 'amount' && typeof value === 'number') return moneyText(value, currency);
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
