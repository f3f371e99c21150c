import { expect, test, vi } from 'vitest';
import { approved, print, terminal } from '../../helpers/capture.ts';

const loaded = vi.hoisted(() => new Set<string>());

vi.mock('csv-stringify/sync', async (original) => {
  loaded.add('csv-stringify');
  return original();
});

test('CSV is loaded only to print CSV', async () => {
  for (const format of ['json', 'jsonl', 'id', 'tsv'] as const) {
    await print([approved], { format, kind: 'purchase' });
  }
  await print([approved], { kind: 'purchase', output: terminal() });
  expect([...loaded]).toEqual([]);

  await print([approved], { format: 'csv', kind: 'purchase' });
  expect([...loaded]).toEqual(['csv-stringify']);
});
