/** The keychain by name, before anything of it is loaded. */
import type { Host, Keychain } from './host.ts';

/** @returns the keychain of this system, which is loaded when it is asked */
export function lazyKeychain(parts: Pick<Host, 'env' | 'interrupted'>): Keychain {
  const keychain = async () => {
    const { createKeychain } = await import('./keychain/keychain.ts');
    return createKeychain(parts);
  };
  return {
    name: keychainName(process.platform),
    get: async (account) => (await keychain()).get(account),
    peek: async (account) => (await keychain()).peek(account),
    set: async (account, secret) => (await keychain()).set(account, secret),
    delete: async (account) => (await keychain()).delete(account),
  };
}

function keychainName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'the macOS Keychain';
  return platform === 'win32' ? 'the Windows Credential Manager' : 'the Secret Service';
}
