/**
 * Builds an OpenAPI 3.1 document of the interface from the table of operations.
 *
 * For OpenAPI, the paths of endpoints 15 and 16 are the same, because only the name of a parameter differs. So 16
 * appears without its optional .json suffix (section 4).
 */
import * as z from 'zod/mini';
import type { Json, JsonObject } from '../base/json.ts';
import { capitalised } from '../base/text.ts';
import { bodySchema, fieldSchema, recordSchema } from './field-schemas.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { isRecurring } from './record.ts';
import { EVENT_PAYLOADS } from './webhook-payloads.ts';
import { SERVICE_MODE_HEADER } from './webhooks/names.ts';

const COUNTS = ['records', 'total_records', 'pages', 'current_page'] as const;

const FAILURE_MEANINGS: Readonly<Record<number, string>> = {
  400: 'Bad data, unknown card token, duplicate or blank fields',
  401: 'Missing or wrong credentials',
  403: 'No permission for the record',
  404: 'Record not found',
  501: 'Plan update with invalid data, or unable to process',
};

/** @returns the document, which is always the same */
export function openApiDocument(): JsonObject {
  const paths: { [path: string]: JsonObject } = {};
  const pathOfShape = new Map<string, string>();
  for (const operation of OPERATIONS as readonly Operation[]) {
    const shape = operation.path.replace(/\{\w+\}/, '{}');
    const first = pathOfShape.get(shape) ?? operation.path;
    pathOfShape.set(shape, first);
    const path = first === operation.path ? first : operation.path.replace(/\.json$/, '');
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: operationObject(operation, path),
    };
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Payment Gateway Service Interface',
      version: '1.0',
      description:
        'Card tokenization, purchases, refunds, and the deprecated recurring-purchases area. ' +
        'Paths of single records and of the list of plans may carry a .json suffix or leave it out.',
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:4010' } } }],
    security: [{ basic: [] }],
    paths,
    webhooks: Object.fromEntries(
      Object.entries(EVENT_PAYLOADS).map(([event, element]) => [event, webhook(event, element)]),
    ),
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'Username and API token' },
      },
      schemas: {
        ...Object.fromEntries(
          OPERATIONS.map(({ kind, response }) => [
            capitalised(kind),
            jsonSchema(recordSchema(response)),
          ]),
        ),
        Failure: failureSchema(),
      },
    },
  };
}

function operationObject(operation: Operation, path: string): JsonObject {
  const { kind, success, failures, effect, body } = operation;
  const parameters = [...pathParameters(path), ...queryParameters(operation)];
  return {
    operationId: operation.name.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: operation.summary,
    tags: [kind],
    ...(isRecurring(kind) ? { deprecated: true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, content: json(jsonSchema(bodySchema(body))) } }
      : {}),
    responses: {
      [success]: {
        description:
          effect === 'money' ? 'Processed. The record says whether the card was declined.' : 'Done',
        content: json(successSchema(operation)),
      },
      ...Object.fromEntries(
        failures.map((status) => [status, failureResponse(FAILURE_MEANINGS[status] ?? 'Failed')]),
      ),
      default: failureResponse('Any other failure'),
    },
  };
}

/** Parameters have names such as `plan_id` or `subscription_reference`. */
function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(([a-z]+)_([a-z]+))\}/g)].map(([, name = '', kind, by = 'id']) => ({
    name,
    in: 'path',
    required: true,
    description: `${capitalised(by)} of the ${kind}`,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query = {} }: Operation): JsonObject[] {
  return Object.entries(query).map(([name, field]) => ({
    name,
    in: 'query',
    description: field.meaning,
    schema: jsonSchema(fieldSchema(field)),
  }));
}

function successSchema({ kind, list }: Operation): JsonObject {
  const record = { $ref: `#/components/schemas/${capitalised(kind)}` };
  const counts = list ? COUNTS : [];
  return {
    type: 'object',
    properties: {
      successful: { const: true },
      response: list ? { type: 'array', items: record } : record,
      errors: { type: 'array', items: { type: 'string' }, maxItems: 0 },
      test: TEST_FLAG,
      ...Object.fromEntries(counts.map((name) => [name, { type: 'integer', minimum: 0 }])),
    },
    required: ['successful', 'response', ...counts],
  };
}

const TEST_FLAG: JsonObject = {
  type: 'boolean',
  description: 'true when the request was processed in the sandbox or in test mode',
};

function failureSchema(): JsonObject {
  return {
    type: 'object',
    properties: {
      successful: { const: false },
      response: {
        type: ['object', 'null'],
        description: 'The submitted fields, with fields that were not assigned set to null',
      },
      errors: { type: 'array', items: { type: 'string' }, minItems: 1 },
      test: TEST_FLAG,
    },
    required: ['successful', 'errors'],
  };
}

function failureResponse(description: string): JsonObject {
  return { description, content: json({ $ref: '#/components/schemas/Failure' }) };
}

function webhook(event: string, element: z.core.$ZodType): JsonObject {
  return {
    post: {
      operationId: event.replace(/:(\w)/, (_, letter: string) => letter.toUpperCase()),
      summary: event,
      deprecated: true,
      security: [],
      parameters: [
        {
          name: SERVICE_MODE_HEADER,
          in: 'header',
          required: true,
          schema: { enum: ['Live', 'Sandbox'] },
        },
      ],
      requestBody: {
        required: true,
        content: json({
          type: 'object',
          properties: {
            event: { const: event },
            payload: { type: 'array', items: jsonSchema(element) },
          },
          required: ['event', 'payload'],
        }),
      },
      responses: { '2XX': { description: 'Delivered' } },
    },
  };
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

/** @returns a JSON Schema without `$schema`, which the document states once */
function jsonSchema(schema: z.core.$ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest as { [keyword: string]: Json };
}
