/** What a listener says when it starts: the address to give the gateway, and the way in from outside. */
import { isLoopback } from '../../base/loopback.ts';

/** @param ledger where events are kept, as people name it */
export function startMessage(url: URL, ledger: string): string {
  const reach = isLoopback(url.hostname)
    ? `Only this machine reaches it. For a gateway elsewhere, run a tunnel of your own to port ${url.port} (ssh -R, ` +
      `cloudflared, ngrok or the like) and give the gateway the tunnel's https address${url.pathname === '/' ? '' : `, followed by ${url.pathname}`}.`
    : `OTHER MACHINES REACH IT: ${url.hostname} is not a loopback address. Add --basic-auth and a secret --path, ` +
      'and put https in front of it.';
  return (
    `Listening. The address to give the gateway is ${url.href}\n${reach}\n` +
    `Every delivery is kept in ${ledger}: see gw events list. Ctrl-C ends it.\n`
  );
}
