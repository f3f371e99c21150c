/**
 * Opens what a command works with once argv is parsed: its flags become options here, and go no further.
 *
 *     const session = await openSession(context, shape);
 *     try {
 *       …
 *     } catch (error) {
 *       throw await session.printAnswerTo(error);
 *     } finally {
 *       await session.close();
 *     }
 *
 * This folder sends requests for a person: looks records up (look-up/), sends one (submit/), or many (batch/).
 */
import type { FlagValues } from '../cli/body/flag-values.ts';
import { type RequestFlags, requestOptions } from '../cli/flags/request-options.ts';
import { Session, type SessionSettings } from '../client/connection/session.ts';
import { chosenAccount } from '../client/connection/wire.ts';
import type { Context } from '../host/context.ts';
import type { PrintFlags } from '../view/print-records.ts';

export type SessionFlags = RequestFlags & PrintFlags;
export type OperationFlags = FlagValues & SessionFlags;

export type SessionShape = Omit<SessionSettings, 'options'> & { flags: SessionFlags };

/** @returns a session for records of an operation's kind, to be closed. @throws Failure when no profile can be used */
export async function openSession(context: Context, shape: SessionShape): Promise<Session> {
  const options = requestOptions(context.host, shape.flags);
  const account = await chosenAccount(context, options.profile);
  return new Session(context, account, { ...shape, options });
}
