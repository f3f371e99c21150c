/**
 * Reads the proxies of the environment: HTTPS_PROXY, or HTTP_PROXY without one. Hosts in NO_PROXY and this machine are
 * exceptions. For a proxy, a loopback address would mean another machine. Such a request may use plain http, which must
 * not leave this machine.
 */
import { usage } from '../../failure.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Proxies {
  /** Addresses; empty for none. */
  httpProxy: string;
  httpsProxy: string;
  /** In the form of NO_PROXY. */
  noProxy: string;
}

/** @returns whether the environment has proxies, usable or not */
export function hasProxies(env: Env): boolean {
  return ['https_proxy', 'http_proxy'].some((name) => setting(env, name) !== undefined);
}

/** @throws Failure usage if one of them is not the address of an http or https proxy */
export function proxiesOf(env: Env): Proxies {
  return {
    httpProxy: proxyAddress(env, 'http_proxy'),
    httpsProxy: proxyAddress(env, 'https_proxy'),
    noProxy: setting(env, 'no_proxy') ?? '',
  };
}

/** The lowercase name takes precedence, as in other programs. */
function setting(env: Env, name: string): string | undefined {
  return env[name] || env[name.toUpperCase()] || undefined;
}

function proxyAddress(env: Env, name: string): string {
  const text = setting(env, name);
  if (text === undefined) return '';
  // Other programs accept `proxy.example:3128` too.
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address;
  // Do not quote the value: it may hold a password.
  throw usage(
    'proxy-invalid',
    `${env[name] ? name : name.toUpperCase()} is not a proxy address that gw can use.`,
    'Set it to an address such as http://proxy.example:3128, or unset it.',
  );
}
