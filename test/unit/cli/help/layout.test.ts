import { expect, test } from 'vitest';
import { commandLines } from '../../../../src/cli/help/layout.ts';

const style = { width: 42, paint: (_: string, text: string) => text };

test('a command on two lines keeps a flag and its value together', () => {
  const line = "gw plan create --name 'Gold plan' --amount 2500 --full --json | head -n 1";
  expect(commandLines([line], style)).toEqual([
    "  gw plan create --name 'Gold plan' \\",
    '    --amount 2500 --full --json | head \\',
    '    -n 1',
  ]);
});

test('a value that is longer than half a line may go below its flag', () => {
  const value = `'${'x'.repeat(30)}'`;
  expect(commandLines([`gw get ID --jq ${value}`], style)).toEqual([
    '  gw get ID --jq \\',
    `    ${value}`,
  ]);
});
