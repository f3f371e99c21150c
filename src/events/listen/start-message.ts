/** What a listener says when it starts: the address to give the gateway, and the way in from outside. */
import { isLoopback } from '../../base/loopback.ts';

/**
 * @param ledger where events are kept, as people name it
 * @param hasRows true where events are shown as rows of a terminal
 * @param trust what tells true events from others: a password, the gateway's word, or nothing
 */
export function startMessage(
  url: URL,
  ledger: string,
  trust: 'password' | 'verified' | 'none',
  hasRows: boolean,
): string {
  const reach = isLoopback(url.hostname)
    ? `Only this machine can reach it. For a gateway elsewhere, run your own tunnel to port ${url.port} (ssh -R, ` +
      `cloudflared, ngrok or the like) and give the gateway the tunnel's https address${url.pathname === '/' ? '' : `, followed by ${url.pathname}`}.`
    : `OTHER MACHINES CAN REACH IT: ${url.hostname} is not a loopback address. Add --basic-auth and a secret --path, ` +
      'and put https in front of it.';
  const lines = [
    `Listening. Give the gateway this address: ${url.href}`,
    reach,
    ...(trust === 'none' ? [UNAUTHENTICATED] : []),
    ...(hasRows ? [TIMES] : []),
    `Every delivery is kept in ${ledger}: run \`gw events list\` to see them. Press Ctrl-C to stop.`,
  ];
  return `${lines.join('\n')}\n`;
}

const TIMES =
  'Times are those of the payments; a time in parentheses is when an event without one was received.';

const UNAUTHENTICATED =
  'Events are unauthenticated: anyone who can reach this address can send one. `--verify` asks the gateway about each, ' +
  'and `--basic-auth` asks senders for a password.';
