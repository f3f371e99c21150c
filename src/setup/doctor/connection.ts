/** Whether somebody answers at the address of a gateway, and whether it is who it says. Nothing is sent. */

import { isLoopback } from '../../base/loopback.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { type Probed, probe, type ShownCertificate } from '../../client/senders/probe.ts';
import { hasProxies } from '../../client/senders/proxy.ts';
import { TransportError } from '../../client/senders/sender.ts';
import type { Host } from '../../host/host.ts';
import { startLimit } from '../../host/http/limit.ts';
import type { Finding } from '../../view/records/check.ts';
import { failed, ok, warning } from './finding.ts';

const PROBE_TIMEOUT_MS = 5_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const SOON_DAYS = 30;

export interface Reached {
  reachability: Finding;
  /** undefined where nobody was reached. */
  tls: Finding | undefined;
}

export async function checkReachability(
  { name, baseUrl }: Pick<Profile, 'name' | 'baseUrl'>,
  { env, clock, interrupted }: Pick<Host, 'env' | 'clock' | 'interrupted'>,
): Promise<Reached> {
  if (hasProxies(env) && !isLoopback(baseUrl.hostname)) {
    return {
      reachability: ok(`gw reaches ${baseUrl.host} through the proxy in the environment`),
      tls: ok('checked with each request; its expiry cannot be seen through a proxy'),
    };
  }
  const found = await probeInTime(baseUrl, interrupted);
  if (found instanceof TransportError) {
    const message = `${baseUrl.host} cannot be reached: ${found.message}.`;
    const next = `Check the network and the base address: \`gw profile show ${name}\`.`;
    return { reachability: failed('notReached', message, next), tls: undefined };
  }
  return {
    reachability: ok(`${baseUrl.host} answers`),
    tls: tlsFinding(name, baseUrl, found, clock.now()),
  };
}

async function probeInTime(url: URL, interrupted: AbortSignal): Promise<Probed | TransportError> {
  const limit = startLimit(interrupted, PROBE_TIMEOUT_MS);
  try {
    return await probe(url, limit.signal);
  } catch (error) {
    if (interrupted.aborted) throw interrupted.reason;
    if (error instanceof TransportError) return error;
    throw error;
  } finally {
    limit.release();
  }
}

function tlsFinding(name: string, url: URL, { tls }: Probed, now: Date): Finding {
  if (!tls) return ok('plain http, which stays on this machine');
  return tls.fault === undefined
    ? expiryFinding(url, tls, now)
    : failed(
        'notReached',
        `${url.host} is not trusted: ${tls.fault}.`,
        tls.expires && tls.expires < now
          ? "Check this machine's clock with `date -u`. If it is right, whoever runs the gateway has to renew the certificate."
          : `Check the base address with \`gw profile show ${name}\`; to trust your own certificate authority, set NODE_EXTRA_CA_CERTS=FILE.`,
      );
}

/** @param tls one that is trusted */
export function expiryFinding(
  { host, hostname, port }: Pick<URL, 'host' | 'hostname' | 'port'>,
  { expires }: ShownCertificate,
  now: Date,
): Finding {
  if (!expires) return ok('its certificate is trusted');
  const day = expires.toISOString().slice(0, 10);
  const days = Math.floor((expires.getTime() - now.getTime()) / DAY_MS);
  if (days >= SOON_DAYS) return ok(`its certificate is trusted until ${day}`);
  return warning(
    `The certificate of ${host} expires on ${day}; nothing can be sent after that.`,
    `Ask whoever runs the gateway to renew it. To see it, run \`openssl s_client -connect ${hostname}:${port || 443} </dev/null | openssl x509 -noout -dates\`.`,
  );
}
