/**
 * Faults on demand: the problems that a client meets on bad days, for tests of clients.
 *
 * A request asks for them in a header, as words separated by commas: `X-Gw-Fault: latency=200,reset-after`.
 *
 *     latency=MS     wait before doing anything
 *     status-NNN     answer NNN (400 to 599) with a failure envelope, nothing is processed
 *     reset-before   reset the connection, nothing is processed
 *     reset-after    process, then reset the connection instead of answering
 *     html-500       process, then answer 500 with an HTML page
 *     truncated      process, then answer with half of the body
 */
import type { IncomingMessage } from 'node:http';
import type { Gateway, GatewayAnswer } from '../gateway.ts';
import type { GatewayClock } from '../gateway-clock.ts';
import { Refusal } from '../resources/handler.ts';

const FAULT_HEADER = 'x-gw-fault';
const SPOILINGS = ['reset-before', 'reset-after', 'html-500', 'truncated'] as const;

type Spoiling = (typeof SPOILINGS)[number];

interface Faults {
  latencyMs: number;
  /** The status of an answer that replaces processing. */
  status: number | undefined;
  /** The fault that changes or replaces the answer. */
  spoiling: Spoiling | undefined;
}

/** Wraps `answer` so that a request can ask for faults. @param clock measures latency */
export function withFaults(
  answer: Answering,
  clock: Pick<GatewayClock, 'sleep'>,
  gateway: Pick<Gateway, 'refuse'>,
): Answering {
  return async (request, target) => {
    const text = request.headers[FAULT_HEADER];
    if (text === undefined) return answer(request, target);
    const faults = readFaults(String(text));
    if (!faults) return gateway.refuse(new Refusal(400, [`Fault ${text} is not known`]));

    if (faults.latencyMs > 0 && !(await isPatient(request, clock, faults.latencyMs)))
      return undefined;
    if (faults.status !== undefined) return gateway.refuse(onDemand(faults.status));
    if (faults.spoiling === 'reset-before') return reset(request);
    const answered = await answer(request, target);
    return answered && spoiled(request, answered, faults.spoiling);
  };
}

/** @returns true after the time; false as soon as the client disconnects */
async function isPatient(
  { socket }: IncomingMessage,
  clock: Pick<GatewayClock, 'sleep'>,
  latencyMs: number,
): Promise<boolean> {
  const gone = new AbortController();
  const onClose = () => gone.abort();
  socket.once('close', onClose);
  await clock.sleep(latencyMs, gone.signal).catch(() => undefined);
  socket.off('close', onClose);
  return !gone.signal.aborted;
}

function spoiled(
  request: IncomingMessage,
  answer: GatewayAnswer,
  spoiling: Spoiling | undefined,
): GatewayAnswer | undefined {
  if (spoiling === 'reset-after') return reset(request);
  if (spoiling === 'html-500')
    return {
      status: 500,
      headers: { ...answer.headers, 'content-type': 'text/html' },
      body: '<html><body><h1>500 Internal Server Error</h1></body></html>',
    };
  if (spoiling !== 'truncated') return answer;
  return { ...answer, body: answer.body.slice(0, answer.body.length / 2) };
}

/** Ends the connection with a TCP reset. */
function reset({ socket }: IncomingMessage): undefined {
  socket.resetAndDestroy();
}

function onDemand(status: number): Refusal {
  const headers = status === 429 || status === 503 ? { 'retry-after': '1' } : {};
  return new Refusal(status, ['Fault on demand'], null, headers);
}

/** @returns undefined if a word of the text is not a fault */
function readFaults(text: string): Faults | undefined {
  const faults: Faults = { latencyMs: 0, status: undefined, spoiling: undefined };
  for (const word of text.split(',').map((part) => part.trim())) {
    const spoiling = SPOILINGS.find((known) => known === word);
    const latencyMs = /^latency=(\d{1,6})$/.exec(word)?.[1];
    const status = /^status-([45]\d\d)$/.exec(word)?.[1];
    if (spoiling) faults.spoiling = spoiling;
    else if (latencyMs !== undefined) faults.latencyMs = Number(latencyMs);
    else if (status !== undefined) faults.status = Number(status);
    else return undefined;
  }
  return faults;
}

/** @param target path and query @returns undefined if the connection was ended without an answer */
export type Answering = (
  request: IncomingMessage,
  target: string,
) => Promise<GatewayAnswer | undefined>;
