/** Options of a login without flags. */
import { requestOptions } from '../../src/cli/flags/command-options.ts';
import type { LoginOptions } from '../../src/commands/login/log-in.ts';
import type { Host } from '../../src/host/host.ts';

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
