/** Runs the built program's listener with a home of its own, and sends deliveries to it. */
import { type Agent, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { PROGRAM } from './program.ts';
import { type Ended, type Running, run, start } from './run.ts';

export interface RunningListener extends Running {
  url: URL;
}

function environmentOf(home: string, more: Record<string, string> = {}) {
  return { PATH: process.env.PATH, HOME: home, TZ: 'UTC', ...more };
}

/** Runs gw to its end. */
export function gw(
  home: string,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<Ended> {
  return run(process.execPath, [PROGRAM, ...args], { env: environmentOf(home, more) });
}

/** Starts `gw listen` on a free port unless another is given. Resolves when it listens. */
export async function startListener(
  home: string,
  args: readonly string[] = [],
  more: Record<string, string> = {},
): Promise<RunningListener> {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const running = start(process.execPath, [PROGRAM, 'listen', ...port, ...args], {
    env: environmentOf(home, more),
  });
  // A test that fails leaves nothing behind that listens.
  onTestFinished(async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  });
  const pattern = /^Listening\b[^\n]*: (http\S+)\n/m;
  await running.printed(pattern);
  return { ...running, url: new URL(pattern.exec(running.output())?.[1] ?? '') };
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
}

export interface PostOptions {
  method?: string;
  headers?: Record<string, string>;
  agent?: Agent;
}

/** @throws when no answer came */
export function post(
  url: URL,
  body: string | Buffer,
  { method = 'POST', headers = {}, agent }: PostOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers: { 'X-Service-Mode': 'Sandbox', ...headers }, agent },
      (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

type ChargePart = 'subscription' | 'reference' | 'name' | 'event' | 'at' | 'message';

/** A charge whose purchase has an id of its own, and its date only where one is given. */
export function charge(id: string, options: Partial<Record<ChargePart, string>> = {}) {
  const { subscription = 'S-1', reference = 'SUB-1', name = 'Ada' } = options;
  const { event = 'charge:successful', at, message } = options;
  const isApproved = event === 'charge:successful';
  return {
    event,
    payload: [
      {
        subscription: {
          id: subscription,
          frequency: 'Daily',
          start_date: '2026-03-10',
          end_date: null,
          reference,
          customer: {
            id: 'C-1',
            email: 'ada@example.com',
            first_name: name,
            last_name: 'Lovelace',
          },
        },
        response: {
          successful: isApproved,
          response: {
            id,
            amount: 2500,
            decimal_amount: 25,
            currency: 'AUD',
            successful: isApproved,
            message: message ?? (isApproved ? 'Approved' : 'Declined'),
            ...(at === undefined ? {} : { transaction_date: at }),
          },
          errors: [],
          test: true,
        },
      },
    ],
  };
}

export const chargeText = (...args: Parameters<typeof charge>) => JSON.stringify(charge(...args));

/** @returns the records of JSON lines */
export function recordsOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
