/**
 * Both dialects of the test gateway, over HTTP, to requests as users of other clients write them:
 * curl, Python's requests, PHP's curl and Ruby's Net::HTTP. A client that this machine lacks is skipped.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { DIALECTS, type Dialect } from '../../src/contract/local-account.ts';
import { run } from '../helpers/run.ts';
import { checkAnswer } from './answers.ts';
import { type Case, filled } from './case.ts';
import { CLIENTS, type Client, type OpenClient } from './client.ts';
import { FORMS } from './forms.ts';
import { type Gateways, startGateways } from './gateways.ts';
import { JOBS } from './jobs.ts';
import { LOOKUPS } from './lookups.ts';
import { SENDING } from './sending.ts';
import { bytesOf, checkWire, WIRE } from './wire.ts';

const CASES: readonly Case[] = [...FORMS, ...LOOKUPS, ...SENDING, ...JOBS];

let gateways: Gateways;
beforeAll(async () => {
  gateways = await startGateways(CLIENTS);
});
afterAll(() => gateways.close());

for (const client of CLIENTS) {
  const { name, program } = client;
  describe.skipIf(program === undefined).each(DIALECTS)(
    `${name}, to the %s dialect,`,
    (dialect) => {
      let open: OpenClient;
      beforeAll(() => {
        open = client.open(program ?? '');
      });
      afterAll(() => open.close());

      const cases = CASES.filter((found) => canSend(client, found));
      test.each(cases.map((found) => [found.title, found] as const))('sends %s', (_title, found) =>
        perform(found, { open, client, dialect }),
      );

      test.each(WIRE.map((found) => [found.title, found] as const))(
        'sends, byte by byte, %s',
        async (_title, found) => {
          const place = gateways.accountOf(dialect, client);
          const answers = await open.exchange(place.account, bytesOf(found, place));
          for (const text of answers) checkWire(text, found, dialect);
        },
      );
    },
  );
}

function canSend({ ways }: Client, { steps }: Case): boolean {
  return steps.every(({ request: { how } }) => how === undefined || ways.includes(how));
}

async function perform(
  { title, steps }: Case,
  { open, client, dialect }: { open: OpenClient; client: Client; dialect: Dialect },
): Promise<void> {
  const { account, names } = gateways.accountOf(dialect, client);
  const known: Record<string, string> = {
    ...names,
    new: `NEW-${CASES.findIndex((c) => c.title === title)}`,
  };
  for (const step of steps) {
    const request = filled(step.request, known);
    const expected = (dialect === 'strict' && step.strict) || step.answer;
    const answer = await open.send(account, request);
    const record = checkAnswer(answer, filled(expected, known), { dialect, request });
    if (expected === step.strict && expected.status >= 400) return;
    if (step.keep === undefined || !isObject(record)) continue;
    for (const [field, value] of Object.entries(record)) {
      if (typeof value === 'string') known[`${step.keep}.${field}`] = value;
    }
  }
}

test('every case has a title of its own', () => {
  expect(new Set(CASES.map(({ title }) => title)).size).toBe(CASES.length);
});

const [curl] = CLIENTS;
test.skipIf(curl?.program === undefined)(
  'curl sends two requests over one connection',
  async () => {
    const { account } = gateways.accountOf('deployed', curl!);
    const { url, username, password } = account;
    const one = ['-sS', '-o', '/dev/null', '-u', `${username}:${password}`, `${url}/v1.0/plans`];
    const { stdout } = await run('curl', [
      '-w',
      '%{http_code} %{num_connects}\n',
      ...one,
      '--next',
      '-w',
      '%{http_code} %{num_connects}\n',
      ...one,
    ]);
    expect(stdout).toBe('200 1\n200 0\n');
  },
);
