/** What a harmless look-up says: of the credentials, of the gateway's mode, and of this machine's clock. */

import { GatewayConnection, verifyCredentials } from '../../client/connection/call.ts';
import { wrongMode } from '../../client/connection/guard.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { httpDate } from '../../client/exchange/retry.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import type { Resolved } from '../../client/profiles/resolve.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { startLimit } from '../../host/http/limit.ts';
import type { Finding } from '../../view/records/check.ts';
import { failed, failedBy, ok, warning } from './finding.ts';

/** With its repeats. */
const LOOK_UP_TIMEOUT_MS = 10_000;

/** Nothing is asked of anybody, and nothing that was seen is kept. */
const OPTIONS: RequestOptions = {
  profile: undefined,
  confirmedProfile: undefined,
  timeoutMs: undefined,
  recordsMoney: false,
  refusesDuplicates: false,
  refusesOverRefunds: false,
  isDebugging: false,
  isDryRun: false,
  isRaw: false,
  mayAsk: false,
};

/** What came of the look-up. */
export interface LookUpResult {
  /** undefined when the gateway answered it as it should. */
  failure: Failure | undefined;
  /** The envelope's `test`. */
  test: boolean | undefined;
  /** This machine's time less the gateway's, in ms; undefined where the answer has no date. */
  skewMs: number | undefined;
}

/** @throws Failure interrupted when the user ends it */
export async function ask(context: Context, resolved: Resolved): Promise<LookUpResult> {
  const { host } = context;
  const limit = startLimit(host.interrupted, LOOK_UP_TIMEOUT_MS);
  let skewMs: number | undefined;
  const trace = {
    request: () => undefined,
    lost: () => undefined,
    reply: ({ headers }: { headers: Readonly<Record<string, string>> }) => {
      skewMs = skewOf(headers.date, host.clock.now());
    },
  };
  // What a profile allows is about commands, and this is none of them.
  const profile = { ...resolved.profile, allowedCommands: undefined };
  const account = { profile, credentials: async () => resolved.credentials };
  try {
    const parts = { interrupted: limit.signal, trace };
    const gateway = new GatewayConnection(quiet(context), account, OPTIONS, parts);
    const reply = await verifyCredentials(gateway);
    return { failure: undefined, test: reply.envelope.test, skewMs };
  } catch (error) {
    if (host.interrupted.aborted || !(error instanceof Failure)) throw error;
    const failure = limit.signal.aborted ? tooSlow(profile) : error;
    return { failure, test: error.test, skewMs };
  } finally {
    limit.release();
  }
}

/** That nothing is kept is meant, and needs no note. */
function quiet({ host, ...context }: Context): Context {
  const stderr: Host['stderr'] = Object.create(host.stderr, { write: { value: async () => {} } });
  return { ...context, host: Object.create(host, { stderr: { value: stderr } }) };
}

function tooSlow({ name, baseUrl }: Profile): Failure {
  return new Failure(
    'notReached',
    `${baseUrl.host} did not answer within ${LOOK_UP_TIMEOUT_MS / 1000} seconds.`,
    {
      code: 'not-reached',
      next: `Try again in a moment: \`gw doctor --profile ${name}\`.`,
    },
  );
}

/** A date in HTTP has no fractions of a second: on the average it is half a second late. */
function skewOf(date: string | undefined, now: Date): number | undefined {
  const theirs = date === undefined ? undefined : httpDate(date);
  return theirs === undefined ? undefined : now.getTime() - theirs - 500;
}

export function authenticationFinding({ failure }: LookUpResult): Finding {
  return failure ? failedBy(failure) : ok('the gateway accepts the credentials');
}

export function environmentFinding(profile: Profile, { test }: LookUpResult): Finding {
  const wrong = wrongMode(profile, test);
  if (wrong === undefined)
    return ok(
      test === undefined ? `${profile.environment}; the answer does not say` : profile.environment,
    );
  return failed(
    'auth',
    `${wrong[0]?.toUpperCase()}${wrong.slice(1)}.`,
    `Send nothing until you know which one it is. Check with \`gw profile show ${profile.name}\`, correct with \`gw profile set ${profile.name} --base-url URL\`.`,
  );
}

const SECOND_MS = 1_000;
const WARNING_MS = 60 * SECOND_MS;
const FAILED_MS = 300 * SECOND_MS;

export function clockFinding(skewMs: number): Finding {
  const size = Math.abs(skewMs);
  if (size <= WARNING_MS) return ok("this machine's clock agrees with the gateway's");
  const where = skewMs > 0 ? 'ahead of' : 'behind';
  const message = `This machine's clock is ${durationText(size)} ${where} the gateway's.`;
  const next =
    'Set it, for example with `sudo timedatectl set-ntp true`, and check it with `date -u`.';
  return size > FAILED_MS ? failed('usage', message, next) : warning(message, next);
}

/** @returns for example `7 minutes` or `90 seconds` */
function durationText(ms: number): string {
  const units: [number, string][] = [
    [86_400, 'days'],
    [3_600, 'hours'],
    [60, 'minutes'],
    [1, 'seconds'],
  ];
  const seconds = Math.round(ms / SECOND_MS);
  const [length, unit] = units.find(([length]) => seconds >= 2 * length) ?? [1, 'seconds'];
  return `${Math.floor(seconds / length).toLocaleString('en')} ${unit}`;
}
