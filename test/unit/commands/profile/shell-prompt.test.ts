import { expect, test } from 'vitest';
import { promptText } from '../../../../src/commands/profile/shell-prompt.ts';

test.each([
  [{ name: 'sandbox', environment: 'sandbox' }, 'bash', 'gw:sandbox'],
  [{ name: 'local', environment: 'local' }, undefined, 'gw:local'],
  [{ name: 'live', environment: 'live' }, undefined, 'gw:LIVE'],
  [{ name: 'shop', environment: 'live' }, undefined, 'gw:LIVE:shop'],
  [{ name: 'shop', environment: 'live' }, 'none', '\x1b[1;31mgw:LIVE:shop\x1b[22;39m'],
  [{ name: 'shop', environment: 'live' }, 'fish', '\x1b[1;31mgw:LIVE:shop\x1b[22;39m'],
  [
    { name: 'shop', environment: 'live' },
    'bash',
    '\x01\x1b[1;31m\x02gw:LIVE:shop\x01\x1b[22;39m\x02',
  ],
  [{ name: 'live', environment: 'live' }, 'zsh', '%{\x1b[1;31m%}gw:LIVE%{\x1b[22;39m%}'],
] as const)('the profile %j in the prompt of %s', (profile, shell, text) => {
  expect(promptText(profile, shell)).toBe(text);
});
