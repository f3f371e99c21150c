/** The table of paths: how records are looked up, with what behind the path, and with what as a body. */
import { get } from './bodies.ts';
import type { Case, Expected } from './case.ts';
import { TODAY } from './gateways.ts';

const ENDINGS = ['', '.json', '?null', '?test=true', '.json?limit=10'];

/** Paths below /v1.0/ with what the text names, and a field of the record. */
const BY_THE_TEXT: readonly (readonly [string, object])[] = [
  ['purchases/{purchase}', { id: '{purchase}', amount: 50_000, successful: true }],
  ['refunds/{refund}', { id: '{refund}', amount: -100 }],
  ['plans/{plan}', { id: '{plan}', reference: 'GOLD' }],
  ['customers/{customer}', { id: '{customer}', reference: 'ANN' }],
  ['subscriptions/ANN-GOLD', { id: '{subscription}', customer: '{customer}', plan: '{plan}' }],
];

const NO_PURCHASE = 'Purchase not found';
const NO_RECORD = 'Record not found';

/** Paths with what deployments take besides, and what the text has to say of that. */
const BY_THE_OTHER: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'purchases/ORDER-1',
    { id: '{purchase}' },
    [NO_PURCHASE, 'ORDER-1 is a reference, and purchases are looked up by id here'],
  ],
  [
    'refunds/RETURN-1',
    { id: '{refund}' },
    [NO_PURCHASE, 'RETURN-1 is a reference, and refunds are looked up by id here'],
  ],
  [
    'plans/GOLD',
    { id: '{plan}' },
    [NO_RECORD, 'GOLD is a reference, and plans are looked up by id here'],
  ],
  [
    'customers/ANN',
    { id: '{customer}' },
    [NO_RECORD, 'ANN is a reference, and customers are looked up by id here'],
  ],
  [
    'subscriptions/{subscription}',
    { reference: 'ANN-GOLD' },
    [NO_RECORD, '{subscription} is an id, and subscriptions are looked up by reference here'],
  ],
];

const BODIES = ['[]', '{}', 'null', '{"test":true}', '{"amount":100}', 'what=ever'];

const found = (response: object): Expected => ({ status: 200, response });
const missing = (...errors: string[]): Expected => ({ status: 404, errors });

export const LOOKUPS: readonly Case[] = [
  ...BY_THE_TEXT.flatMap(([path, response]) =>
    ENDINGS.map((ending) => ({
      title: `GET ${path}${ending}`,
      steps: [{ request: get(path + ending), answer: found(response) }],
    })),
  ),
  ...['plans', 'plans.json', 'plans?null', 'plans.json?limit=5&offset=1'].map((path) => ({
    title: `GET ${path}`,
    steps: [{ request: get(path), answer: { status: 200 } }],
  })),
  ...BY_THE_OTHER.map(([path, response, errors]) => ({
    title: `GET ${path}`,
    steps: [{ request: get(path), answer: found(response), strict: missing(...errors) }],
  })),
  ...['purchases/071-P-NOBODY00', 'purchases/NOBODY', 'refunds/NOBODY.json'].map((path) => ({
    title: `GET ${path}`,
    steps: [{ request: get(path), answer: missing(NO_PURCHASE) }],
  })),
  ...['plans/NOBODY', 'customers/NOBODY.json', 'subscriptions/NOBODY?null'].map((path) => ({
    title: `GET ${path}`,
    steps: [{ request: get(path), answer: missing(NO_RECORD) }],
  })),
  {
    title: 'GET ping?echo=X%20Y',
    steps: [
      {
        request: get('ping?echo=X%20Y'),
        answer: {
          status: 200,
          bare: { timestamp: Date.parse(`${TODAY}T09:30:00Z`) / 1000, echo: 'X Y' },
        },
        strict: missing(NO_RECORD, 'Only the deployed dialect has GET /v1.0/ping'),
      },
    ],
  },
  ...[
    'purchases/settlement',
    'purchases/settlement.json',
    'purchases/settlement?from=2017/06/22',
  ].map((path) => ({
    title: `GET ${path}, which stays outside`,
    steps: [{ request: get(path), answer: missing(NO_RECORD) }],
  })),
  ...['purchases/void', 'refunds/void.json'].map((path) => ({
    title: `GET ${path}, which stays outside`,
    steps: [{ request: get(path), answer: missing(NO_RECORD) }],
  })),
  ...['V1.0/plans', 'v1.0/plans/', 'v1.0/purchases/{purchase}/', 'V1.0/purchases/settlement'].map(
    (path) => ({
      title: `GET /${path}, which stays outside`,
      steps: [
        { request: { method: 'GET', path: `/${path}` } as const, answer: missing(NO_RECORD) },
      ],
    }),
  ),
  {
    title: 'GET purchases/ with no id',
    steps: [{ request: get('purchases/'), answer: { status: 404 } }],
  },
  ...BODIES.map((text) => ({
    title: `GET with the body ${text}`,
    steps: [
      {
        request: { ...get('purchases/{purchase}'), text },
        answer: found({ id: '{purchase}' }),
        strict: { status: 400, errors: ['Request body must be left out of a GET request'] },
      },
    ],
  })),
  {
    title: 'GET with an array as its body, as the language writes it',
    steps: [
      {
        request: { ...get('plans/{plan}'), body: [] },
        answer: found({ id: '{plan}' }),
        strict: { status: 400, errors: ['Request body must be left out of a GET request'] },
      },
    ],
  },
  {
    title: 'GET with a content type and no body',
    steps: [
      {
        request: { ...get('purchases/{purchase}'), type: 'application/json' },
        answer: found({ id: '{purchase}' }),
      },
    ],
  },
];
