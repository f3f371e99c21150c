/** Options of a login without flags. */
import { requestOptions } from '../../src/cli/flags/command-options.ts';
import type { Host } from '../../src/host/host.ts';
import type { LoginOptions } from '../../src/setup/login/log-in.ts';

export function loginOptions(host: Host): LoginOptions {
  return {
    environment: undefined,
    baseUrl: undefined,
    username: undefined,
    hasTokenOnStdin: false,
    isForLedger: false,
    request: requestOptions(host, {}),
    typed: {},
  };
}
