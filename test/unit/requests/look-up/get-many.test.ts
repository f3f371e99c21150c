/** Many look-ups at once: printed in the order they were asked for, whatever order they come in. */
import { describe, expect, test } from 'vitest';
import { MAX_IN_FLIGHT } from '../../../../src/requests/look-up/get-many.ts';
import { runCommand } from '../../../helpers/cli.ts';
import { answer, type Behaviour, hostileServer } from '../../../helpers/hostile-server.ts';

const found = (id: string) =>
  answer(200, JSON.stringify({ successful: true, response: { id }, errors: [] }));
const refusal = (error: string) =>
  JSON.stringify({ successful: false, response: null, errors: [error] });
const idOf = (target: string) => decodeURIComponent(target.split('/').at(-1) ?? '');

/** Answers what the function says; what it leaves is found. */
const answering =
  (say: (id: string) => string | undefined): Behaviour['onRequest'] =>
  (socket, { target }) =>
    void socket.write(say(idOf(target)) ?? found(idOf(target)));

async function get(
  ids: readonly string[],
  onRequest: Behaviour['onRequest'],
  flags = ['-o', 'id'],
) {
  const server = await hostileServer({ ...(onRequest ? { onRequest } : {}) });
  const result = await runCommand('fast path', ['purchase', 'get', '-', ...flags], {
    stdin: ids.join('\n'),
    env: {
      GW_USERNAME: 'shop',
      GW_API_TOKEN: 'secret-token',
      GW_BASE_URL: server.url.href,
      GW_ENVIRONMENT: 'sandbox',
    },
  });
  return { ...result, printed: result.stdout.split('\n').filter(Boolean), server };
}

const IDS = Array.from({ length: 50 }, (_, i) => `071-P-${i}`);

test('records are printed in the order of the ids', async () => {
  const waiting: (() => void)[] = [];
  const { printed, failure } = await get(IDS, (socket, { target }, index) => {
    waiting.unshift(() => socket.write(found(idOf(target))));
    // The first ones are held back until as many are in flight as may be, then answered backwards.
    if (index >= MAX_IN_FLIGHT - 1) for (const say of waiting.splice(0)) say();
  });
  expect(failure).toBeUndefined();
  expect(printed).toEqual(IDS);
});

test('the look-ups in flight are limited', async () => {
  let open = 0;
  let most = 0;
  await get(IDS, (socket, { target }) => {
    most = Math.max(most, ++open);
    setImmediate(() => {
      open--;
      socket.write(found(idOf(target)));
    });
  });
  expect(most).toBeLessThanOrEqual(MAX_IN_FLIGHT);
});

test('a failed look-up is named among the others and decides the exit code', async () => {
  const { printed, failure, stderr } = await get(
    ['a', 'b', 'c', 'd'],
    answering((id) => {
      if (id === 'b') return answer(404, refusal('Purchase not found'));
      return id === 'd' ? answer(403, refusal('No permission')) : undefined;
    }),
  );
  expect(printed).toEqual(['a', 'c']);
  expect(stderr).toContain('b: Purchase not found');
  expect(stderr).toContain('d: No permission');
  expect(failure).toMatchObject({ kind: 'notFound', exitCode: 4 });
});

test('wrong credentials end the look-ups at once', async () => {
  const { failure, server } = await get(
    IDS,
    answering(() => answer(401, refusal('No'))),
  );
  expect(failure).toMatchObject({ kind: 'auth', exitCode: 3 });
  expect(server.requests.length).toBeLessThanOrEqual(2 * MAX_IN_FLIGHT);
});

test('an unreachable gateway ends the look-ups after the records that were found', async () => {
  const { failure, printed } = await get(['a', 'b', 'c'], (socket, { target }) => {
    if (idOf(target) === 'a') socket.write(found('a'));
    else socket.resetAndDestroy();
  });
  expect(printed).toEqual(['a']);
  expect(failure).toMatchObject({ kind: 'notReached', exitCode: 7 });
});

test('a busy gateway gets the look-ups again, one at a time', async () => {
  const seen = new Set<string>();
  const { printed, failure } = await get(
    IDS,
    answering((id) => {
      if (seen.has(id)) return undefined;
      seen.add(id);
      return answer(503, 'busy');
    }),
  );
  expect(failure).toBeUndefined();
  expect(printed).toEqual(IDS);
});

test('the JSON is complete even if a look-up fails', async () => {
  const { stdout } = await get(
    ['a', 'b'],
    answering((id) => (id === 'b' ? answer(401, refusal('No')) : undefined)),
    ['-o', 'json'],
  );
  expect(JSON.parse(stdout)).toEqual([{ id: 'a' }]);
});

describe('an id of another kind', () => {
  test('is looked up, and then gets a hint', async () => {
    const { failure, stderr, server } = await get(
      ['071-R-1', '071-P-1'],
      answering((id) =>
        id === '071-R-1' ? answer(404, refusal('Purchase not found')) : undefined,
      ),
    );
    expect(server.requests).toHaveLength(2);
    expect(stderr).toContain('try `gw refund get 071-R-1`');
    expect(failure?.kind).toBe('notFound');
  });
});

test('an invalid id is refused, and the others are looked up', async () => {
  const { printed, failure, stderr } = await get(
    ['..', 'a'],
    answering(() => undefined),
  );
  expect(printed).toEqual(['a']);
  expect(stderr).toContain('".." is not a valid id.');
  expect(failure).toMatchObject({ kind: 'usage', exitCode: 2 });
});
