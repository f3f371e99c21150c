/**
 * Faults on demand: what a client meets on bad days, for tests of clients.
 *
 * A request asks for them by a header, as words with a comma between them: `X-Gw-Fault: latency=200,reset-after`.
 *
 *     latency=MS     wait before doing anything
 *     status-NNN     answer NNN (400 to 599) with a failure envelope, nothing is processed
 *     reset-before   reset the connection, nothing is processed
 *     reset-after    process, then reset the connection instead of answering
 *     html-500       process, then answer 500 with an HTML page
 *     truncated      process, then answer with half of the body
 */
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import { failure } from '../gateway.ts';
import type { Clock } from '../gateway-clock.ts';

const FAULT_HEADER = 'X-Gw-Fault';

type Spoiling = 'reset-before' | 'reset-after' | 'html-500' | 'truncated';

interface Faults {
  latencyMs: number;
  /** Answered instead of processing. */
  status: number | undefined;
  /** What happens to the answer, or instead of it. */
  spoiling: Spoiling | undefined;
}

const SPOILINGS: readonly Spoiling[] = ['reset-before', 'reset-after', 'html-500', 'truncated'];

/** @returns middleware that makes the requests go wrong that ask for it */
export function injectFaults(
  clock: Pick<Clock, 'sleep'>,
): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  return async (context, next) => {
    const text = context.req.header(FAULT_HEADER);
    if (text === undefined) return next();
    const faults = readFaults(text);
    if (!faults) return refuse(400, `Fault ${text} is not known`);

    if (faults.latencyMs > 0) await clock.sleep(faults.latencyMs, context.req.raw.signal);
    if (faults.status !== undefined) return refuse(faults.status, 'Fault on demand');
    if (faults.spoiling === 'reset-before') return reset(context);
    await next();
    context.res = await spoiled(context, faults.spoiling);
  };
}

async function spoiled(context: FaultContext, spoiling: Spoiling | undefined): Promise<Response> {
  if (spoiling === 'reset-after') return reset(context);
  if (spoiling === 'html-500')
    return new Response('<html><body><h1>500 Internal Server Error</h1></body></html>', {
      status: 500,
      headers: { 'content-type': 'text/html' },
    });
  if (spoiling !== 'truncated') return context.res;
  const body = await context.res.text();
  return new Response(body.slice(0, body.length / 2), context.res);
}

type FaultContext = Context<{ Bindings: Partial<HttpBindings> }>;

/** Ends the connection with a TCP reset. @throws Error where there is no connection */
function reset(context: FaultContext): Response {
  const { incoming } = context.env ?? {};
  if (!incoming) throw new Error('A reset needs a connection: the gateway is called in process');
  incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

function refuse(status: number, message: string): Response {
  const { headers, body } = failure({ status, errors: [message], response: null }, true);
  if (status === 429 || status === 503) headers['retry-after'] = '1';
  return new Response(body, { status, headers });
}

/** @returns undefined when a word of the text is no fault */
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
