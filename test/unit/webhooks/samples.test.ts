import { expect, test } from 'vitest';
import { EVENT_PAYLOADS, type EventName } from '../../../src/contract/webhook-events.ts';
import {
  fixedRecords,
  parseEventName,
  sampleBody,
  sampleHeaders,
} from '../../../src/webhooks/samples.ts';
import { failureOf } from '../../helpers/failure.ts';
import { factsOf } from './support.ts';

const NOW = new Date('2026-03-10T09:30:00Z');
const NAMES = Object.keys(EVENT_PAYLOADS) as EventName[];

test.each(NAMES)('%s is what section 6 says', (name) => {
  const body = sampleBody(name, fixedRecords(NOW), NOW, 'AB12CD34');
  const [element] = body.payload as unknown[];
  expect(EVENT_PAYLOADS[name]().safeParse(element).success).toBe(true);
  const facts = factsOf(body);
  expect(facts).toMatchObject({ fault: null, isMasked: false, who: 'Ada Lovelace', elements: 1 });
  expect(facts.outcome).not.toBe('unknown');
  expect(facts.subscription === null).toBe(name.startsWith('card:'));
  if (facts.purchase) expect(facts.purchase.source).toBe('Recurring');
});

test('a sample is never live', () => {
  expect(sampleHeaders('1')).toContainEqual(['X-Service-Mode', 'Sandbox']);
});

test('there are six events', async () => {
  expect(NAMES.map(parseEventName)).toEqual(NAMES);
  expect(await failureOf(() => parseEventName('charge:odd'))).toMatchObject({ kind: 'usage' });
});
