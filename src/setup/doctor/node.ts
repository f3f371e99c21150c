/** Whether gw runs on a Node that it supports. */
import type { Runtime } from '../../host/host.ts';
import type { Finding } from '../../view/records/check.ts';
import { failed, ok } from './finding.ts';

/** @param runtime whose `supported` is a lower bound, as `>=20.19.0` */
export function checkNode({ node, supported }: Pick<Runtime, 'node' | 'supported'>): Finding {
  if (compareVersions(node, supported.replace(/^>=/, '')) >= 0)
    return ok(`${node}; gw runs on ${supported}`);
  return failed(
    'usage',
    `Node ${node} is too old: gw runs on ${supported}.`,
    'Install a newer Node, then check with `node --version`.',
  );
}

/** @returns below zero when the first is the older one, 0 for the same; what follows a dash is left out */
function compareVersions(some: string, other: string): number {
  const [a, b] = [some, other].map((text) => text.replace(/-.*/, '').split('.').map(Number));
  for (const [i, number] of (b ?? []).entries()) {
    const difference = (a?.[i] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  return 0;
}
