/**
 * Sends one request, which may leave while nothing is at the path `over`, and prints what became of it. A process of its
 * own, since Node reads NODE_EXTRA_CA_CERTS when it starts.
 */
import { existsSync } from 'node:fs';
import { openSender } from '../../../../src/client/connection/wire.ts';
import { TransportError } from '../../../../src/client/senders/sender.ts';
import { Failure } from '../../../../src/failure.ts';

const { url, inFlight, over } = JSON.parse(process.argv[2] ?? '') as {
  url: string;
  inFlight: number;
  over?: string;
};

async function exchange(): Promise<object> {
  try {
    const sender = await openSender({
      embedded: undefined,
      clock: { now: () => new Date(), sleep: async () => {} },
      inFlight,
      env: process.env,
    });
    const request = {
      method: 'POST',
      url: new URL(url),
      headers: { authorization: 'Basic secret', 'content-type': 'application/json' },
      body: '{"amount":2500}',
    };
    const { status, body } = await sender.send(request, {
      timeoutMs: 10_000,
      interrupted: new AbortController().signal,
      mayLeave: () => over === undefined || !existsSync(over),
    });
    await sender.close();
    return { status, body };
  } catch (error) {
    if (error instanceof TransportError) return { lost: error.message, sent: error.sent };
    if (error instanceof Failure) return { refused: error.message };
    throw error;
  }
}

const outcome = await exchange();
process.stdout.write(JSON.stringify(outcome), () => process.exit(0));
