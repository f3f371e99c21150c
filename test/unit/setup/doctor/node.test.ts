import { expect, test } from 'vitest';
import { checkNode } from '../../../../src/setup/doctor/node.ts';

const SUPPORTED = '>=20.19.0';

test.each(['20.19.0', '20.20.2', '22.0.0', '26.1.0-nightly'])('Node %s is supported', (node) => {
  expect(checkNode({ node, supported: SUPPORTED }).state).toBe('ok');
});

test.each(['20.18.9', '18.30.1', '9.99.99'])('Node %s is too old', (node) => {
  expect(checkNode({ node, supported: SUPPORTED })).toMatchObject({
    state: 'failed',
    kind: 'usage',
    message: `Node ${node} is too old: gw runs on >=20.19.0.`,
  });
});
