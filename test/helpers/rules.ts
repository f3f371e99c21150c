/** Batches under the rules of a profile: a cap, notes, and the approval of another person. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type Place, startGw } from './batch.ts';
import { PROGRAM } from './program.ts';
import { openTerminal } from './terminal.ts';

/**
 * @param most refunds of 1.00: twice as much is sent within a day
 * @returns the place with a profile that also sends such a batch only if another person approves it
 */
export function underRules<Kind extends Place>(place: Kind, baseUrl: string, most: number): Kind {
  const shop = {
    ...{ environment: 'sandbox', baseUrl, currency: 'AUD', requireNote: true },
    ...{ maxPerDay: [`${most * 2}.00 refunds`], twoPersonsAbove: ['0.50'] },
  };
  const folder = path.join(place.home, '.config/gw');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'profiles.json'), JSON.stringify({ profiles: { shop } }));
  const { GW_BASE_URL: _, GW_ENVIRONMENT: __, ...kept } = place.env;
  return { ...place, env: { GW_OPERATOR: 'ada', ...kept, GW_PROFILE: 'shop' } };
}

/**
 * Proposes a batch, and approves it as another person does in a terminal.
 * @param args the command that sends it
 * @param other variables of the other person
 */
export async function approveBatch(
  place: Place,
  args: readonly string[],
  other: NodeJS.ProcessEnv,
): Promise<void> {
  const { home, env } = place;
  const refused = await startGw(place, args).ended;
  expect(refused.stderr).toContain('only if another person approves');
  const proposed = await startGw(place, [...args, '--propose']).ended;
  expect(proposed.code, proposed.stderr).toBe(0);
  const terminal = openTerminal({ columns: 100, rows: 40, env: { ...env, ...other }, cwd: home });
  const approving = terminal.begin(`'${process.execPath}' '${PROGRAM}' approve`);
  await terminal.shows(/Which proposal\?/);
  terminal.type('\r');
  await terminal.shows(/Approve it\?/);
  terminal.type('y\r');
  expect((await approving.ended).code, terminal.text().join('\n')).toBe(0);
  await terminal.close();
}
