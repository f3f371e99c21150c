import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { Redactor } from '../../../src/host/redaction/redactor.ts';
import { renderError } from '../../../src/view/errors.ts';
import { anyText, DANGEROUS } from '../../helpers/arbitraries.ts';

const plain = { debug: false };

const rejected = new Failure(
  'rejected-by-gateway',
  'The gateway rejected the request.',
  'Nothing was processed. Correct the request, then run the command again.',
  {
    operation: 'refund create',
    status: 400,
    errors: ["Reference can't be blank", 'Amount\u001b[2J is wrong'],
    id: '001-R-1',
    cause: new Error('the cause'),
  },
);

describe('as text', () => {
  test('says what happened, what the gateway answered and what to do', () => {
    expect(renderError(rejected, plain)).toBe(`\
Error: The gateway rejected the request.
  Reference can't be blank
  Amount\\u001b[2J is wrong
Nothing was processed. Correct the request, then run the command again.
`);
  });

  test('does not repeat what the message quotes', () => {
    const failure = new Failure(
      'not-found',
      'The gateway said: Purchase not found (404).',
      'Check the id.',
      { errors: ['Purchase not found.', 'Purchase'] },
    );
    expect(renderError(failure, plain)).toBe(
      'Error: The gateway said: Purchase not found (404).\nCheck the id.\n',
    );
  });

  test('says that nothing was sent before it says what to do', () => {
    const failure = (next: string) => new Failure('profile-read-only', 'No.', next);
    expect(renderError(failure('Do this.'), plain)).toBe(
      'Error: No.\nNothing was sent. Do this.\n',
    );
    expect(renderError(failure(''), plain)).toBe('Error: No.\nNothing was sent.\n');
  });

  test('reports a defect, with its stack under --debug', () => {
    const defect = new TypeError('x is not a function');
    expect(renderError(defect, plain)).toBe(`\
Error: This is a defect in gw: TypeError: x is not a function
Please report it, with the output of the same command and --debug.
`);
    expect(renderError(defect, { ...plain, debug: true })).toContain('errors.test.ts');
  });

  test('reports any other thrown value as a defect', () => {
    for (const thrown of ['tsv', undefined, null, 7, { a: 1 }]) {
      expect(renderError(thrown, plain)).toMatch(/^Error: This is a defect in gw: /);
    }
  });

  test('shows a cause under --debug', () => {
    expect(renderError(rejected, plain)).not.toContain('the cause');
    expect(renderError(rejected, { ...plain, debug: true })).toContain('Error: the cause\n    at ');
  });

  test('keeps any number of messages short, on one line and harmless', () => {
    fc.assert(
      fc.property(anyText, fc.array(anyText, { maxLength: 40 }), (text, errors) => {
        const failure = new Failure('not-found', `m${text}`, `n${text}`, { errors });
        const lines = renderError(failure, plain).split('\n');
        expect(lines.length).toBeLessThanOrEqual(23);
        expect(lines[0]).toMatch(/^Error: m/);
        expect(lines.at(-2)).toMatch(/^n/);
        for (const line of lines) expect(line).not.toMatch(DANGEROUS);
      }),
    );
    const errors = Array.from({ length: 100 }, (_, i) => `error ${i}`);
    const many = new Failure('not-found', 'm', 'n', { errors });
    expect(renderError(many, plain).split('\n')).toHaveLength(23);
    const long = new Failure('not-found', 'x'.repeat(1e6), 'n');
    expect(renderError(long, plain).length).toBeLessThan(3_000);
  });
});

describe('as JSON', () => {
  const json = { ...plain, format: 'json' } as const;

  test('has every key on one line', () => {
    const text = renderError(rejected, json);
    expect(text.indexOf('\n')).toBe(text.length - 1);
    expect(JSON.parse(text)).toEqual({
      error: {
        kind: 'rejected',
        code: 'rejected-by-gateway',
        message: 'The gateway rejected the request.',
        next: 'Nothing was processed. Correct the request, then run the command again.',
        sent: null,
        operation: 'refund create',
        status: 400,
        errors: ["Reference can't be blank", 'Amount\u001b[2J is wrong'],
        exit_code: 6,
        id: '001-R-1',
        entry: null,
        state: null,
      },
    });
  });

  test('has a field that says that nothing was sent, and says it in the next step', () => {
    const failure = new Failure('other-profile-confirmed', 'm', 'n', { sent: false });
    expect(JSON.parse(renderError(failure, json)).error).toMatchObject({
      next: 'Nothing was sent. n',
      sent: false,
    });
  });

  test('has null for unknown values', () => {
    const failure = new Failure('file-exists', 'm', 'n');
    expect(JSON.parse(renderError(failure, { ...json, format: 'jsonl' }))).toEqual({
      error: {
        kind: 'usage',
        code: 'file-exists',
        message: 'm',
        next: 'n',
        sent: null,
        operation: null,
        status: null,
        errors: [],
        exit_code: 2,
        id: null,
        entry: null,
        state: null,
      },
    });
  });

  test('has exit code 1 for a defect, and its stack under --debug', () => {
    const parsed = JSON.parse(renderError(new Error('oops'), json)) as { error: object };
    expect(parsed.error).toMatchObject({ kind: 'defect', exit_code: 1 });
    expect(parsed.error).not.toHaveProperty('stack');
    const debugged = JSON.parse(renderError(new Error('oops'), { ...json, debug: true }));
    expect(debugged.error.stack).toContain('errors.test.ts');
  });

  test('is used only for JSON formats', () => {
    expect(renderError(rejected, { ...plain, format: 'csv' })).toMatch(/^Error: /);
  });
});

test('secrets of the run are hidden, even in a stack', () => {
  const redactor = new Redactor();
  redactor.addSecret('tok-123456');
  const defect = new Error('bad header: tok-123456');
  for (const format of ['tsv', 'json'] as const) {
    const text = renderError(defect, { ...plain, format, debug: true, redactor });
    expect(text).not.toContain('tok-123456');
    expect(text).toContain('***');
  }
});
