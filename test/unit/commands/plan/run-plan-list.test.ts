/** `gw plan list`, against gateways that number, count and page well, badly, or not at all. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { ListCounts } from '../../../../src/contract/envelope.ts';
import { runCommand } from '../../../helpers/cli.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';

interface Page {
  ids: (string | null)[];
  counts?: Record<string, unknown>;
}

/** @param page from 1 */
type Paging = (page: number) => Page;

const MANY = 60;
const ids = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => `P-${from + n}`);
/** Pages of two. @param total that there are */
const pagesOf = (total: number) => (page: number) => ids(2 * page - 1, Math.min(2 * page, total));
const counted = (page: number, total: number): Required<ListCounts> => ({
  records: pagesOf(total)(page).length,
  total_records: total,
  pages: Math.ceil(total / 2),
  current_page: page,
});

/** @param from the number of the first page, which is what comes where none is asked for */
async function list(paging: Paging, from: number, flags: readonly string[]) {
  const server = await hostileServer({
    onRequest(socket, { target }) {
      const offset = new URL(target, 'http://x').searchParams.get('offset');
      const { ids: found, counts } = paging(Number(offset ?? from) - from + 1);
      const response = found.map((id) => ({ id, name: 'Gold' }));
      const envelope = { successful: true, response, errors: [], test: true, ...counts };
      socket.write(answer(200, JSON.stringify(envelope)));
    },
  });
  const env = {
    GW_USERNAME: 'shop',
    GW_API_TOKEN: 'secret-token',
    GW_BASE_URL: server.url.href,
    GW_ENVIRONMENT: 'sandbox',
  };
  const argv = ['plan', 'list', ...flags];
  const { stdout, stderr, failure } = await runCommand('fast path', argv, { env });
  return { stdout, stderr, failure, requests: server.requests.length };
}

const listAll = (paging: Paging, flags: readonly string[] = ['-o', 'json']) =>
  list(paging, 1, ['--all', ...flags]);

const idsIn = (json: string) => (JSON.parse(json) as { id: string }[]).map(({ id }) => id);

describe('paging', () => {
  test.each<[what: string, paging: Paging, printed: string[], requests: number]>([
    ['has none', (page) => ({ ids: [], counts: counted(page, 0) }), [], 1],
    ['has one page', (page) => ({ ids: pagesOf(2)(page), counts: counted(page, 2) }), ids(1, 2), 1],
    [
      'ends in half a page',
      (page) => ({ ids: pagesOf(5)(page), counts: counted(page, 5) }),
      ids(1, 5),
      3,
    ],
    [
      'ends in a whole page',
      (page) => ({ ids: pagesOf(6)(page), counts: counted(page, 6) }),
      ids(1, 6),
      3,
    ],
    ['counts nothing', (page) => ({ ids: pagesOf(4)(page) }), ids(1, 4), 4],
    [
      'counts pages only, as `page` and `total_pages`',
      (page) => ({ ids: pagesOf(5)(page), counts: { page, total_pages: 3 } }),
      ids(1, 5),
      3,
    ],
    [
      'counts records only',
      (page) => ({ ids: pagesOf(4)(page), counts: { total_records: 4 } }),
      ids(1, 4),
      3,
    ],
    [
      'never ends, but says how many there are',
      (page) => ({ ids: pagesOf(MANY)(page), counts: { total_records: 6 } }),
      ids(1, 6),
      4,
    ],
    [
      'never ends, and passes the number that it says there are',
      (page) => ({ ids: pagesOf(MANY)(page), counts: { total_records: 5 } }),
      ids(1, 6),
      4,
    ],
    [
      'counts the records of a page in place of all',
      (page) => ({ ids: pagesOf(6)(page), counts: { total_records: 2, pages: 3 } }),
      ids(1, 6),
      4,
    ],
    [
      'counts what cannot be',
      (page) => ({ ids: pagesOf(4)(page), counts: { total_records: -1, pages: 0.5 } }),
      ids(1, 4),
      4,
    ],
    [
      'answers with all of them, whatever the page',
      () => ({ ids: ids(1, 5), counts: { total_records: 5, pages: 3 } }),
      ids(1, 5),
      3,
    ],
  ])('a gateway that %s is read to the end', async (_, paging, printed, requests) => {
    const result = await listAll(paging);
    expect(result.failure).toBeUndefined();
    expect({ printed: idsIn(result.stdout), requests: result.requests }).toEqual({
      printed,
      requests,
    });
    expect(result.stderr).toBe('');
  });
});

describe('page numbers', () => {
  /** How it says which page it is. @param page from 1 */
  type Numbering = (page: number, from: number) => JsonObject;
  const NUMBERINGS: [what: string, from: number, numbering: Numbering][] = [
    ['from 1', 1, (page) => ({ current_page: page })],
    ['from 1, as text', 1, (page) => ({ page: String(page), total_pages: '3' })],
    ['from 1, and does not say it', 1, () => ({})],
    ['from 0', 0, (page, from) => ({ page: page - 1 + from })],
    ['from 0, as text', 0, (page) => ({ current_page: String(page - 1) })],
    ['from 0, and does not say it', 0, () => ({})],
  ];
  const gateway =
    (total: number, from: number, numbering: Numbering, counts: (page: number) => JsonObject) =>
    (page: number): Page => ({
      ids: pagesOf(total)(page),
      counts: { ...counts(page), ...numbering(page, from) },
    });

  test.each(
    NUMBERINGS.flatMap(([what, from, numbering]) =>
      [0, 1, 2, 3, 5, 6].flatMap((total) =>
        [{}, { total_records: total }, { pages: Math.ceil(total / 2) }].map(
          (counts) => [what, total, counts, from, numbering] as const,
        ),
      ),
    ),
  )(
    '%s, all of %i plans are listed in order, with %j',
    async (_, total, counts, from, numbering) => {
      const paging = gateway(total, from, numbering, () => counts);
      const { stdout, failure } = await list(paging, from, ['--all', '-o', 'json']);
      expect(failure).toBeUndefined();
      expect(idsIn(stdout)).toEqual(ids(1, total));
    },
  );

  test.each(NUMBERINGS.filter(([what]) => what !== 'from 0, and does not say it'))(
    '%s, --page counts from 1',
    async (_, from, numbering) => {
      const paging = gateway(5, from, numbering, () => ({ total_records: 5, pages: 3 }));
      for (const [flags, found] of [
        [[], ids(1, 2)],
        [['--page', '1'], ids(1, 2)],
        [['--page', '2'], ids(3, 4)],
        [['--page', '3'], ids(5, 5)],
      ] as const) {
        const { stdout } = await list(paging, from, [...flags, '-o', 'json']);
        expect(idsIn(stdout)).toEqual(found);
        if (Object.keys(numbering(1, from)).length === 0) continue;
        const table = await list(paging, from, [...flags, '-o', 'table']);
        expect(table.stderr).toContain(`Page ${flags.at(-1) ?? 1} of 3, `);
      }
    },
  );

  test('a first page with an unexpected number is refused', async () => {
    const { failure, stdout } = await list(
      (page) => ({ ids: pagesOf(6)(page), counts: { current_page: page + 4 } }),
      1,
      ['--all', '-o', 'json'],
    );
    expect(failure).toMatchObject({ code: 'not-paged' });
    expect(failure?.message).toContain('the first page, but the gateway answered with page 5');
    expect(idsIn(stdout)).toEqual([]);
  });
});

describe('faulty paging', () => {
  const all = 'The list above is incomplete.';

  test.each<[what: string, paging: Paging, code: string, printed: string[], requests: number]>([
    ['repeats its only page', () => ({ ids: ['P-1'] }), 'not-paged', ['P-1'], 3],
    [
      'repeats its only page under other numbers',
      (page) => ({ ids: ['P-1'], counts: { pages: 10_000, current_page: page } }),
      'not-paged',
      ['P-1'],
      2,
    ],
    [
      'stays on its first page',
      () => ({ ids: ids(1, 2), counts: { pages: 3, current_page: 1 } }),
      'not-paged',
      ids(1, 2),
      2,
    ],
    [
      'goes round in a circle',
      (page) => ({ ids: pagesOf(MANY)(((page - 1) % 2) + 1) }),
      'not-paged',
      ids(1, 4),
      4,
    ],
    ['has no ids, and repeats itself', () => ({ ids: [null] }), 'not-paged', [null as never], 3],
    [
      'has fewer than it says',
      (page) => ({ ids: pagesOf(3)(page), counts: { total_records: 5, pages: 2 } }),
      'list-not-whole',
      ids(1, 3),
      3,
    ],
    [
      'ends before its last page',
      (page) => ({ ids: pagesOf(2)(page), counts: { total_records: 6, pages: 3 } }),
      'list-not-whole',
      ids(1, 2),
      3,
    ],
    [
      'loses a plan while it is read, so that another moves to the page before',
      (page) => ({
        ids: page === 1 ? ids(1, 2) : ids(4, 4),
        counts: { total_records: 4, pages: 2 },
      }),
      'list-not-whole',
      ['P-1', 'P-2', 'P-4'],
      3,
    ],
  ])('a gateway that %s never looks complete', async (_, paging, code, printed, requests) => {
    const { failure, stdout, requests: made } = await listAll(paging);
    expect(failure?.code).toBe(code);
    expect(failure?.next).toContain(all);
    expect({ printed: idsIn(stdout), requests: made }).toEqual({ printed, requests });
    const table = await listAll(paging, ['-o', 'table']);
    expect(table.stdout).toContain('Gold');
  });

  test('an endless list is read up to a limit and is not called complete', async () => {
    const { failure, requests } = await listAll((page) => ({ ids: [`P-${page}`] }), ['-o', 'id']);
    expect(failure).toMatchObject({ kind: 'incomplete', code: 'too-many-pages' });
    expect(failure?.next).toContain(all);
    expect(requests).toBe(1_000);
  });

  test('a plan that moves to the next page is printed once, with a note', async () => {
    const { stdout, stderr, failure } = await listAll((page) => ({
      ids: page === 1 ? ids(1, 2) : ids(2, 3),
      counts: { total_records: 3, pages: 2 },
    }));
    expect(failure).toBeUndefined();
    expect(idsIn(stdout)).toEqual(ids(1, 3));
    expect(stderr).toContain('1 record came twice and is printed once');
  });

  test('a lost connection is reported with the plans that were printed', async () => {
    const { stdout, failure } = await listAll((page) => {
      if (page === 2) return { ids: [], counts: { successful: false, errors: ['No'] } };
      return { ids: pagesOf(4)(page) };
    });
    expect(failure?.next).toContain(all);
    expect(idsIn(stdout)).toEqual(ids(1, 2));
  });
});
