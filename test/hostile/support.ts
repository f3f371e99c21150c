/** The built program, against gateways and input that mean it no good. */
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, type Running, type RunOptions, start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

export interface GwOptions extends RunOptions {
  /** Address of the gateway; without one it is the embedded one. */
  url?: URL;
  home?: string;
  /** For Node, before the program. */
  nodeArgs?: readonly string[];
}

/** @returns the variables of an empty home, and of the gateway */
export function environmentOf({ url, home = temporaryDirectory() }: GwOptions): NodeJS.ProcessEnv {
  const account = url
    ? {
        GW_USERNAME: 'shop',
        GW_API_TOKEN: 'secret-token',
        GW_BASE_URL: url.href,
        GW_ENVIRONMENT: 'sandbox',
      }
    : { GW_PROFILE: 'local' };
  return { PATH: process.env.PATH, HOME: home, TZ: 'UTC', ...account };
}

export function startGw(args: readonly string[], options: GwOptions = {}): Running {
  const { url: _, home: __, nodeArgs = [], env, ...rest } = options;
  return start(process.execPath, [...nodeArgs, PROGRAM, ...args], {
    ...rest,
    env: { ...environmentOf(options), ...env },
  });
}

export function gw(args: readonly string[], options: GwOptions = {}): Promise<Ended> {
  return startGw(args, { input: '', ...options }).ended;
}
