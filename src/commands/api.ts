import { Args, Flags } from '@oclif/core';
import type { JsonObject } from '../base/json.ts';
import { readJsonObject } from '../body/read-input.ts';
import { purchaseGet } from '../contract/operations.ts';
import { OperationCommand } from '../dispatch/operation-command.ts';
import { usage } from '../failure.ts';
import {
  confirmFlag,
  dryRunFlag,
  interactionFlags,
  ledgerFlags,
  overRefundFlag,
  profileFlag,
  requestFlags,
} from '../flags/global-flags.ts';
import { applyPairs, splitPair } from '../flags/pairs.ts';
import { rawOperation } from '../operations/raw-operation.ts';
import { ONE, type OperationFlags, withSession } from '../operations/run-operation.ts';
import { throwUnlessApproved } from '../operations/submit.ts';

export default class Api extends OperationCommand {
  static override summary = 'Send an authenticated request of your own';
  static override description =
    'Sends the request with the credentials of the profile and prints the answer as it came, also when ' +
    'the gateway rejects it. The body is not checked before it is sent. What moves money is recorded and ' +
    'never repeated, as everywhere.';
  static override examples = [
    '<%= config.bin %> api GET /v1.0/plans.json --query limit=10 --profile local',
    '<%= config.bin %> api POST /v1.0/refunds --field transaction_id=071-P-IE49OSAF --field amount=500 --field reference=RET-9 --profile local',
    "<%= config.bin %> api --openapi | jq -r '.paths | keys[]'",
  ];
  static override args = {
    method: Args.string({ description: 'GET, POST, PUT or DELETE.', ignoreStdin: true }),
    path: Args.string({
      description: 'Path below the base address, such as /v1.0/purchases.',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    openapi: Flags.boolean({
      description: 'Print the interface as an OpenAPI 3.1 document, and stop.',
    }),
    input: Flags.string({
      description: 'JSON body, from a file or - for stdin.',
      helpValue: '<file|->',
      helpGroup: 'INPUT',
    }),
    field: Flags.string({
      description:
        'Field of the body; dots for nested ones. Numbers, true, false and null as in JSON.',
      helpValue: '<name=value>',
      helpGroup: 'INPUT',
      multiple: true,
      multipleNonGreedy: true,
    }),
    query: Flags.string({
      description: 'Query parameter.',
      helpValue: '<name=value>',
      helpGroup: 'INPUT',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...dryRunFlag,
    ...confirmFlag,
    ...ledgerFlags,
    ...overRefundFlag,
    ...profileFlag,
    ...requestFlags,
    ...interactionFlags,
  };
  // The look of the answer only: which operation it is depends on the path.
  readonly operation = purchaseGet;

  async run(): Promise<void> {
    const { args, flags } = await this.input();
    if (flags.openapi === true) return this.printOpenApi();
    const { method, path } = args;
    if (method === undefined || path === undefined) {
      throw usage('A method and a path are needed.', 'For example `gw api GET /v1.0/plans.json`.');
    }
    const { operation, query } = rawOperation(method, path);
    const body = await this.body(flags);
    if (body !== undefined && operation.effect === 'read') {
      throw usage('A GET request has no body.', 'Use --query for parameters, or POST or PUT.');
    }
    query.push(...pairs(flags.query).map((pair) => splitPair('query', pair)));
    const input = { query, ...(body === undefined ? {} : { body }) };
    await withSession(
      this.context,
      this.operation,
      { ...flags, raw: true },
      ONE,
      async (session) => {
        if (flags['dry-run']) return session.printRequest(operation, input);
        const reply = await session.callUnchecked(operation, input);
        await session.printReply(reply);
        throwUnlessApproved(reply);
      },
    );
  }

  private async body(flags: OperationFlags): Promise<JsonObject | undefined> {
    const fields = pairs(flags.field);
    if (typeof flags.input !== 'string' && fields.length === 0) return undefined;
    const body =
      typeof flags.input === 'string'
        ? await readJsonObject(this.host, flags.input, '--input')
        : {};
    applyPairs(body, fields);
    return body;
  }

  private async printOpenApi(): Promise<void> {
    const { openApiDocument } = await import('../contract/openapi.ts');
    await this.host.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
  }
}

function pairs(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
