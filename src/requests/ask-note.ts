/** Asks why, where the profile wants a note. */
import { noteOf } from '../cli/flags/command-options.ts';
import type { GatewayConnection } from '../client/connection/call.ts';
import type { RequestOptions } from '../client/connection/request-options.ts';
import type { CallInput } from '../client/exchange/wire-request.ts';
import { needsNote } from '../client/guards/rules.ts';
import type { Operation } from '../contract/operation.ts';
import { faultOfTyped } from '../failure.ts';
import type { Prompts } from '../host/host.ts';
import type { Questions } from './questions.ts';
import type { Session } from './session.ts';

/** Keeps the answer as the note of the command. Where nobody can be asked, the request is refused when it is cleared. */
export async function askForNote(
  { session, questions }: { session: Session; questions: Questions },
  operation: Operation,
  input: CallInput,
): Promise<void> {
  const { gateway, options } = session;
  const typed = await askedNote(gateway, options, questions, { operation, input });
  if (typed !== undefined) questions.answer('note', typed);
}

/** @returns the note that was typed and kept; undefined if none was needed, or nobody can be asked */
export async function askedNote(
  { ledger, profile }: Pick<GatewayConnection, 'ledger' | 'profile'>,
  { mayAsk }: Pick<RequestOptions, 'mayAsk'>,
  prompts: Pick<Prompts, 'text'>,
  asked: Parameters<typeof needsNote>[1],
): Promise<string | undefined> {
  if (ledger.note !== null || !needsNote(profile, asked) || !mayAsk) return undefined;
  ledger.note = await prompts.text('Why? It is kept here, and never sent:', { check });
  return ledger.note;
}

const check = (text: string) =>
  text.trim() === '' ? 'Say why, in a few words' : faultOfTyped(() => noteOf(text));
