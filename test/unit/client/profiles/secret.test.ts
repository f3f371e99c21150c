import { format, inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../../src/client/profiles/secret.ts';

describe('a secret', () => {
  const secret = new Secret('tok-1');

  test('a secret is what it was made of', () => {
    expect(secret.reveal()).toBe('tok-1');
  });

  test('a secret shows itself in no other way', () => {
    const shown = [
      String(secret),
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { showHidden: true, depth: 9 }),
      format('%s %o %j', secret, secret, secret),
      JSON.stringify({ ...secret }),
      Object.entries(secret).join(),
      new Error(`${secret}`).message,
    ];
    expect(shown.join()).not.toContain('tok-1');
    expect(shown[0]).toBe('***');
  });
});
