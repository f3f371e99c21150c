/** A profile of live money, which nothing confirms but whoever types its name. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes the profile `live`, with credentials of its own.
 * @param home HOME of the program
 * @param said of the profile; the default address is one where nobody answers
 */
export function writeLiveProfile(
  home: string,
  said: { baseUrl?: string; currency?: string } = {},
): void {
  const config = path.join(home, '.config', 'gw');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const live = {
    environment: 'live',
    baseUrl: 'https://127.0.0.1:1',
    ...said,
    credentialCommand: `echo '{"username": "shop", "apiToken": "TEST"}'`,
  };
  const text = JSON.stringify({ profiles: { live } });
  writeFileSync(path.join(config, 'profiles.json'), text, { mode: 0o600 });
}
