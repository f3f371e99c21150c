import { expect, test, vi } from 'vitest';
import { approved, print, terminal } from '../../helpers/capture.ts';

const loaded = vi.hoisted(() => new Set<string>());

vi.mock('cli-table3', async (original) => {
  loaded.add('cli-table3');
  return original();
});
vi.mock('csv-stringify/sync', async (original) => {
  loaded.add('csv-stringify');
  return original();
});

test('tables and CSV are loaded by those who print them and by nobody else', async () => {
  for (const format of ['json', 'jsonl', 'id', 'tsv'] as const) {
    await print([approved], { format, kind: 'purchase' });
  }
  await print([approved], { kind: 'purchase', single: true, output: terminal() });
  expect([...loaded]).toEqual([]);

  await print([approved], { kind: 'purchase', output: terminal() });
  await print([approved], { format: 'csv', kind: 'purchase' });
  expect([...loaded]).toEqual(['cli-table3', 'csv-stringify']);
});
