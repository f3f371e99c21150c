import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/contract/openapi.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { EVENT_PAYLOADS } from '../../../src/contract/webhook-payloads.ts';
import { createGateway } from '../../../src/emulator/gateway.ts';
import { openState } from '../../../src/emulator/state.ts';
import { testClock } from '../emulator/support.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is read like any JSON
const document: any = openApiDocument();

test('the OpenAPI document is served without credentials', async () => {
  const gateway = createGateway({ store: openState({ path: ':memory:', clock: testClock() }) });
  const { status, body } = await gateway.answer({ method: 'GET', target: '/openapi.json' });
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual(document);
});

test.each(OPERATIONS.map((operation): [string, Operation] => [operation.name, operation]))(
  '%s is in the OpenAPI document with all its fields',
  (_, row) => {
    const path = row.path.replace('{subscription_id}.json', '{subscription_id}');
    const operation = document.paths[path][row.method.toLowerCase()];
    expect(operation.summary).toBe(row.summary);
    expect(Object.keys(operation.responses).sort()).toEqual(
      [String(row.success), ...row.failures.map(String), 'default'].sort(),
    );
    expect(operation.deprecated ?? false).toBe(
      ['plan', 'customer', 'subscription'].includes(row.kind),
    );
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const named = (operation.parameters ?? []).filter((p: { in: string }) => p.in === 'path');
    expect(named.map((p: { name: string }) => p.name)).toEqual(inPath);
    const request = operation.requestBody?.content['application/json'].schema;
    expect(Object.keys(request?.properties ?? {})).toEqual(Object.keys(row.body?.fields ?? {}));
    const success = operation.responses[row.success].content['application/json'].schema;
    expect(success.properties.successful).toEqual({ const: true });
    expect('current_page' in success.properties).toBe(row.list === true);
  },
);

test('endpoints 15 and 16 have a path each, with its own parameter', () => {
  const parameterOf = (path: string, method: string) => {
    const [{ name, description }] = document.paths[path][method].parameters;
    return [name, description];
  };
  expect(parameterOf('/v1.0/subscriptions/{subscription_reference}.json', 'get')).toEqual([
    'subscription_reference',
    'Reference of the subscription',
  ]);
  expect(parameterOf('/v1.0/subscriptions/{subscription_id}', 'put')).toEqual([
    'subscription_id',
    'Id of the subscription',
  ]);
});

test('every parameter has a description', () => {
  const items = Object.values<Record<string, { parameters?: { description?: string }[] }>>(
    document.paths,
  );
  const parameters = items.flatMap((item) =>
    Object.values(item).flatMap(({ parameters: of = [] }) => of),
  );
  expect(parameters.length).toBeGreaterThan(8);
  for (const { description } of parameters) expect(description).toMatch(/^[A-Z].{5,}/);
});

test('every reference in the OpenAPI document exists', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]*)"/g)];
  expect(references.length).toBeGreaterThan(0);
  for (const [, pointer = ''] of references) {
    const target = pointer
      .split('/')
      .slice(1)
      .reduce((node, key) => node?.[key], document);
    expect(target, pointer).toBeDefined();
  }
});

test("the OpenAPI document says what a customer's new card needs beside its number", () => {
  const { put } = document.paths['/v1.0/customers/{customer_id}.json'];
  const { card } = put.requestBody.content['application/json'].schema.properties;
  expect(card.dependentRequired).toEqual({ card_number: ['expiry_date', 'cvv'] });
  expect(card.required).toBeUndefined();
});

test('operation ids are unique, and paths differ in more than the name of a parameter', () => {
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(
    (item) => Object.values(item),
  );
  expect(operations).toHaveLength(OPERATIONS.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(OPERATIONS.length);
  const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/, '{}'));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test('the six webhooks are in the OpenAPI document, with the mode header', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(EVENT_PAYLOADS));
  for (const [event, { post }] of Object.entries<{
    // biome-ignore lint/suspicious/noExplicitAny: as above
    post: any;
  }>(document.webhooks)) {
    expect(post.parameters[0]).toMatchObject({ name: 'X-Service-Mode', in: 'header' });
    const { properties } = post.requestBody.content['application/json'].schema;
    expect(properties.event).toEqual({ const: event });
    expect(properties.payload.type).toBe('array');
    expect(Object.keys(properties.payload.items.properties).length).toBeGreaterThan(1);
  }
});

test('everything in the OpenAPI document needs Basic authentication', () => {
  expect(document.security).toEqual([{ basic: [] }]);
  expect(document.components.securitySchemes.basic).toMatchObject({
    type: 'http',
    scheme: 'basic',
  });
});
