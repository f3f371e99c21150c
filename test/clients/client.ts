/**
 * Clients that gw does not control. Each of three languages has one process, which sends what a line of
 * its stdin describes and prints the answer as a line; curl is a process a request.
 */
import path from 'node:path';
import { createInterface } from 'node:readline';
import { run, start } from '../helpers/run.ts';
import { firstThatRuns } from '../helpers/skip.ts';

const WAYS = [
  'chunked',
  'any encoding',
  'HTTP/1.0',
  'credentials in the address',
  'only when challenged',
] as const;

/** A way of sending that is not a client's usual one. */
export type Way = (typeof WAYS)[number];

/** A request as its user describes it. */
export interface ClientRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** The body, which the client's language turns into JSON. */
  body?: unknown;
  /** A body that is sent as it stands, in its place. */
  text?: string;
  /** Content type; without it the client's own. */
  type?: string;
  headers?: Readonly<Record<string, string>>;
  how?: Way;
  /** In place of the account's. */
  password?: string;
}

export interface ClientAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  text: string;
}

export interface Account {
  /** Base address of the gateway. */
  url: string;
  username: string;
  password: string;
}

export interface OpenClient {
  send(account: Account, request: ClientRequest): Promise<ClientAnswer>;
  /**
   * Sends the same text, but for `{n}`, over several connections at once, through sockets of its own.
   * @returns what came back on each until it ended
   */
  exchange(account: Account, text: string): Promise<string[]>;
  /** @throws Error where the client's process does not end well */
  close(): Promise<void>;
}

export interface Client {
  name: string;
  ways: readonly Way[];
  /** Its program, or undefined where this machine lacks it. */
  program: string | undefined;
  open(program: string): OpenClient;
}

/** UTF-8, and no proxies. */
const ENV = { PATH: process.env.PATH, LANG: 'C.UTF-8' };

export const CLIENTS: readonly Client[] = [
  {
    name: 'curl',
    ways: WAYS,
    program: firstThatRuns('curl', ['curl'], ['--version']),
    open: (program) => ({
      send: (account, request) => sendByCurl(program, account, request),
      exchange: (account, text) => exchangeByCurl(program, account, text),
      close: async () => undefined,
    }),
  },
  {
    name: 'requests of Python',
    ways: ['chunked', 'credentials in the address'],
    program: firstThatRuns(
      'python3-requests',
      // The one that Debian's packages are for, before whatever else there is.
      ['/usr/bin/python3', 'python3'],
      ['-c', 'import requests'],
    ),
    open: (program) => openDriver(program, 'client.py'),
  },
  {
    name: 'curl of PHP',
    ways: WAYS,
    program: firstThatRuns(
      'php-curl',
      ['php'],
      ['-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
    ),
    open: (program) => openDriver(program, 'client.php'),
  },
  {
    name: 'Net::HTTP of Ruby',
    ways: ['chunked', 'credentials in the address'],
    program: firstThatRuns('ruby', ['ruby'], ['-e', 'require "net/http"']),
    open: (program) => openDriver(program, 'client.rb'),
  },
];

function addressOf({ url, username, password }: Account, { path, how }: ClientRequest): string {
  const address = how === 'credentials in the address' ? `//${username}:${password}@` : '//';
  return url.replace('//', address) + path;
}

function openDriver(program: string, file: string): OpenClient {
  const { child, ended } = start(program, [path.resolve('test/clients/drivers', file)], {
    env: ENV,
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const ask = async (wanted: object) => {
    child.stdin?.write(`${JSON.stringify(wanted)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${file} ended: ${(await ended).stderr}`);
    return JSON.parse(value);
  };
  return {
    send(account, request) {
      const { path: _, headers = {}, ...rest } = request;
      const { username, password } = account;
      const url = addressOf(account, request);
      return ask({ username, password, ...rest, headers, url });
    },
    exchange({ url }, wire) {
      const { hostname: host, port } = new URL(url);
      return ask({ wire, host, port: Number(port), times: TIMES });
    },
    async close() {
      child.stdin?.end();
      const { code, stderr } = await ended;
      if (code !== 0 || stderr !== '') throw new Error(`${file} ended with ${code}: ${stderr}`);
    },
  };
}

/** Connections of an exchange at once: an answer that a reset cuts off shows in some of so many. */
const TIMES = 60;

/** curl's telnet is a plain socket, for one connection a process: fewer, because a process costs more. */
const CURLS = 6;

async function exchangeByCurl(program: string, { url }: Account, text: string): Promise<string[]> {
  const exchanges = Array.from({ length: CURLS }, (_, n) => {
    const input = text.replaceAll('{n}', String(n).padStart(3, '0'));
    return run(program, ['-sS', url.replace('http', 'telnet')], { env: ENV, input });
  });
  return (await Promise.all(exchanges)).map(({ stdout }) => stdout);
}

/** Options of curl for what is not its usual way. */
const CURL_WAYS: Readonly<Record<Way, readonly string[]>> = {
  chunked: ['-H', 'Transfer-Encoding: chunked'],
  'any encoding': ['--compressed'],
  'HTTP/1.0': ['--http1.0'],
  'credentials in the address': [],
  'only when challenged': ['--anyauth'],
};

async function sendByCurl(
  program: string,
  account: Account,
  request: ClientRequest,
): Promise<ClientAnswer> {
  const { method, body, text = JSON.stringify(body), type, headers = {}, how } = request;
  const { username, password } = { ...account, ...request };
  const user = how === 'credentials in the address' ? [] : ['-u', `${username}:${password}`];
  const given = Object.entries({ ...headers, ...(type !== undefined && { 'Content-Type': type }) });
  const args = [
    ...['-sS', '-D', '-', '-X', method, addressOf(account, request), ...user],
    ...given.flatMap(([name, value]) => ['-H', `${name}:${value && ` ${value}`}`]),
    ...(how ? CURL_WAYS[how] : []),
    ...(text === undefined ? [] : ['-d', '@-']),
  ];
  const { code, stdout, stderr } = await run(program, args, { env: ENV, input: text ?? '' });
  if (code !== 0) throw new Error(`curl ended with ${code}: ${stderr}`);
  return lastAnswer(stdout);
}

/** Before the answer there may be a 100 and a 401, with their heads. */
function lastAnswer(output: string): ClientAnswer {
  const parts = output.split('\r\n\r\n');
  const head = parts.findLast((part) => part.startsWith('HTTP/')) ?? '';
  const [line = '', ...headers] = head.split('\r\n');
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(
      headers.map((header) => {
        const [name = '', value = ''] = header.split(/: (.*)/s);
        return [name.toLowerCase(), value];
      }),
    ),
    text: parts.at(-1) ?? '',
  };
}
