/**
 * A process that behaves like many runs of gw: for each request of a list it opens the state, asks,
 * and closes it again. `support-processes.ts` bundles it, starts it and sends it the lists.
 */

import { createGateway } from '../../../src/emulator/gateway.ts';
import { openState } from '../../../src/emulator/state.ts';
import { basicAuthorization } from '../../../src/host/http/basic-auth.ts';

export interface WorkerRequest {
  method: string;
  target: string;
  body?: unknown;
}

export interface WorkerAnswer {
  status: number;
  body: { response: Record<string, unknown> | null; errors: string[] };
}

export interface WorkerJob {
  path: string;
  requests: WorkerRequest[];
}

async function run({ path, requests }: WorkerJob): Promise<WorkerAnswer[]> {
  const clock = { now: () => new Date('2026-03-10T09:30:00Z') };
  const answers: WorkerAnswer[] = [];
  for (const { method, target, body } of requests) {
    const store = openState({ path, clock });
    const { status, body: text } = await createGateway({ store }).answer({
      method,
      target,
      authorization: basicAuthorization('TEST', 'TEST'),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    store.close();
    answers.push({ status, body: JSON.parse(text) });
  }
  return answers;
}

process.on('message', (job: WorkerJob) => {
  run(job).then(
    (answers) => process.send?.({ answers }),
    (error: Error) => process.send?.({ error: `${error.stack}, ${error.cause}` }),
  );
});
