import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { NamedHelp } from '../../../../src/cli/help/help-data.ts';
import { toolOf } from '../../../../src/commands/mcp/describe-tool.ts';
import { type ToolRow, toolRows } from '../../../../src/commands/mcp/tools.ts';
import { typedCall } from '../../../../src/commands/mcp/typed-call.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { helpSource } from '../../../helpers/help.ts';

let help: NamedHelp;
beforeAll(async () => {
  help = await helpSource();
});

const NAMES = ['find', 'get', 'history', 'report', 'explain', 'doctor', 'propose'];
const rowOf = (name: string) => toolRows(true).find((row) => row.name === name) as ToolRow;

test('there are seven tools, in one order, and six without proposals', () => {
  expect(toolRows(true).map(({ name }) => name)).toEqual(NAMES);
  expect(toolRows(false).map(({ name }) => name)).toEqual(NAMES.slice(0, -1));
});

test.each(NAMES)('%s is described by the flags of its commands', (name) => {
  const row = rowOf(name);
  const { inputSchema, outputSchema, annotations } = toolOf(row, help.command);
  for (const flag of row.flags) {
    const having = Object.values(row.commands).filter((id) => help.command(id).flags[flag]);
    expect(having, `no command of ${name} has --${flag}`).not.toEqual([]);
  }
  for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
    expect(schema, argument).toHaveProperty('type');
    if (!(schema as JsonObject).enum) expect(schema, argument).toHaveProperty('description');
    expect(JSON.stringify(schema)).not.toContain('--');
  }
  expect(inputSchema.additionalProperties).toBe(false);
  expect(outputSchema?.required).toEqual(['records']);
  expect(annotations?.readOnlyHint).toBe(name !== 'propose');
});

test('the fields of a row stand where a row has them', () => {
  const { outputSchema } = toolOf(rowOf('find'), help.command);
  type Rows = { items: { properties: { untrusted: { properties: object } } } };
  const { records } = (outputSchema?.properties ?? {}) as unknown as { records: Rows };
  const { untrusted, ...kept } = records.items.properties;
  expect(Object.keys(kept)).toEqual(expect.arrayContaining(['id', 'outcome', 'customer']));
  expect(Object.keys(untrusted.properties)).toEqual(
    expect.arrayContaining(['who', 'email', 'reference', 'message']),
  );
});

describe('a call', () => {
  const TAKEN: readonly (readonly [name: string, given: JsonObject, typed: string])[] = [
    ['find', {}, 'find'],
    [
      'find',
      { text: 'ada 25.00', kind: ['purchase', 'refund'] },
      'find --kind=purchase --kind=refund|ada 25.00',
    ],
    ['find', { text: '-x', since: '7d', cursor: '20' }, 'find --since=7d --|-x'],
    ['find', { text: '--output=table' }, 'find --|--output=table'],
    ['find', { amount: 45, time_zone: 'UTC' }, 'find --amount=45 --time-zone=UTC'],
    ['get', { id: 'INV-1', follow: true }, 'get --follow|INV-1'],
    ['get', { id: 'INV-1', follow: false }, 'get|INV-1'],
    ['get', { id: '-' }, 'get --|-'],
    ['report', { report: 'at-risk' }, 'report:at-risk'],
    ['report', { report: 'month', period: 'last month' }, 'report:month|last month'],
    [
      'propose',
      {
        kind: 'refund',
        purchase: 'INV-1',
        amount: 1000,
        currency: 'AUD',
        reference: 'R',
        note: 'lost',
      },
      'refund:propose --amount=1000 --currency=AUD --reference=R --note=lost|INV-1',
    ],
  ];
  test.each(TAKEN)('of %s with %j is the words of a command', (name, given, typed) => {
    const { id, words } = typedCall(rowOf(name), given);
    const at = words.findIndex((word, i) => !word.startsWith('--') || words[i - 1] === '--');
    const flags = at === -1 ? words : words.slice(0, at);
    const rest = at === -1 ? [] : words.slice(at);
    expect([[id, ...flags].join(' '), ...rest].join('|')).toBe(typed);
  });

  const REFUSED: readonly (readonly [name: string, given: JsonObject, said: string])[] = [
    ['find', { profile: 'live' }, 'no argument "profile"'],
    ['find', { jq: '.' }, 'no argument "jq"'],
    ['get', {}, 'id'],
    ['get', { id: ['a', 'b'] }, 'id'],
    ['get', { id: 2 ** 60 }, 'id'],
    ['report', {}, 'one of day'],
    ['report', { report: 'constructor' }, 'one of day'],
    ['propose', { kind: 'refund', currency: 'AUD', reference: 'R' }, 'note'],
    ['propose', { kind: 'api' }, 'one of refund, purchase'],
    ['propose', { kind: 'refund', 'allow-duplicate': true }, 'no argument "allow-duplicate"'],
    ['propose', { kind: 'refund', input: '/etc/passwd' }, 'no argument "input"'],
  ];
  test.each(REFUSED)('of %s with %j is refused', async (name, given, said) => {
    const failure = await failureOf(() => typedCall(rowOf(name), given));
    expect(failure.kind).toBe('usage');
    expect(failure.message).toContain(said);
  });
});
