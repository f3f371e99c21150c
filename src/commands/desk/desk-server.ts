/**
 * The server of the desk: a request, the door (`door.ts`), a page (`routes.ts`).
 *
 * Tests: test/unit/commands/desk/desk-server.test.ts, test/system/desk-attacks.test.ts
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Program } from '../../cli/dispatch/program.ts';
import type { ProfileScope } from '../../cli/flags/whose.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { codeOf } from '../../host/error-reason.ts';
import { explainListening } from '../../host/http/listening.ts';
import { createHttpServer, sendLast } from '../../host/http/server.ts';
import { renderError } from '../../view/errors.ts';
import { Html, html } from '../../view/html/html.ts';
import { type Desk, PageTokens } from './desk.ts';
import { Door, TOKEN_HEADER } from './door.ts';
import { entrancePage, failurePage, safePath } from './entrance.ts';
import { eventStream } from './event-stream.ts';
import { type Page, pageText, SAFE_HEADERS } from './page-shell.ts';
import { type Answer, type Asked, answerTo } from './routes.ts';
import { USUAL_PORT } from './usual-port.ts';

const HOST = '127.0.0.1';
const MAX_CONNECTIONS = 64;
/** A reference may be long, and stands in an address. */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 5_000;

export interface DeskOptions {
  profile: Profile;
  /** The rows that are shown. */
  us: ProfileScope;
  program: Program;
  /** undefined for the usual one, or any other if that is in use. 0 lets the system choose. */
  port: number | undefined;
  /** The desk ends after so long without a request. */
  idleMs: number;
}

export class DeskServer {
  readonly #context: Context;
  readonly #options: DeskOptions;
  readonly #closing = new AbortController();
  readonly #server: Server;
  #door: Door | undefined;
  #askedAt: number;

  constructor(context: Context, options: DeskOptions) {
    this.#context = context;
    this.#options = options;
    this.#askedAt = context.host.clock.uptimeMs();
    const { server } = createHttpServer({
      maxConnections: MAX_CONNECTIONS,
      maxHeaderBytes: MAX_HEADER_BYTES,
      maxBodyBytes: MAX_BODY_BYTES,
      headersTimeoutMs: HEADERS_TIMEOUT_MS,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      keepAliveTimeoutMs: KEEP_ALIVE_MS,
      isOnlyLocal: true,
      isForBrowsers: true,
      handle: (request, response) => void this.#handle(request, response),
      onRefused: () => undefined,
    });
    this.#server = server;
  }

  /** @throws Failure usage if the port cannot be listened on */
  async open(): Promise<Door> {
    const { port = USUAL_PORT } = this.#options;
    try {
      await this.#listen(port);
    } catch (error) {
      if (this.#options.port !== undefined || codeOf(error) !== 'EADDRINUSE')
        throw explainListening(error, { host: HOST, port }, 'another gw desk');
      await this.#listen(0);
    }
    this.#door = new Door((this.#server.address() as AddressInfo).port);
    return this.#door;
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, HOST);
    await once(this.#server, 'listening');
  }

  /** Resolves when nobody has asked for long enough, or the program is interrupted. */
  async untilEnd(): Promise<'idle' | 'interrupted'> {
    const { clock, interrupted } = this.#context.host;
    for (;;) {
      const left = this.#askedAt + this.#options.idleMs - clock.uptimeMs();
      if (left <= 0) return 'idle';
      await clock.sleep(left, interrupted).catch(() => undefined);
      if (interrupted.aborted) return 'interrupted';
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const door = this.#door as Door;
    const refused = door.refused({ method, url, headers });
    if (refused) {
      const body = `Refused: a request ${refused.reason}.\n`;
      return sendLast({ request, response }, refused.status, { headers: PLAIN, body });
    }
    try {
      const asked = await askedOf(request);
      if (door.isIn(request)) this.#askedAt = this.#context.host.clock.uptimeMs();
      const { profile, us, program } = this.#options;
      const desk = {
        context: this.#context,
        profile,
        us,
        program,
        tokens: new PageTokens(this.#context.redactor),
        token: door.token,
      };
      const answer = admitted(door, asked) ?? (await this.#answer(desk, asked));
      await send(desk, answer, response);
    } catch {
      // The browser has left, or the answer had begun.
      response.destroy();
    }
  }

  /** A defect is told in the terminal too. */
  async #answer(desk: Desk, asked: Asked): Promise<Answer> {
    try {
      return await answerTo(desk, asked);
    } catch (error) {
      if (error instanceof Failure) return { page: failurePage(error) };
      void this.#context.host.stderr.write(renderError(error, { debug: true }));
      return { page: defectPage() };
    }
  }
}

const PLAIN = { ...SAFE_HEADERS, 'content-type': 'text/plain; charset=utf-8' };

/** @throws Error if the body is too long, or the browser leaves */
async function askedOf(request: IncomingMessage): Promise<Asked> {
  const { method = '', url = '', headers } = request;
  let body = '';
  const chunks = method === 'GET' ? [] : request.setEncoding('utf8');
  for await (const chunk of chunks) {
    body += chunk;
    if (body.length > MAX_BODY_BYTES) throw new Error('The body is too long.');
  }
  const form = new URLSearchParams(body);
  return { method, url: new URL(url, `http://${HOST}`), headers, form };
}

/** @returns the answer to whoever has not come in, or comes in now; undefined for all others */
function admitted(door: Door, { method, url, headers, form }: Asked): Answer | undefined {
  const to = safePath(form.get('to') ?? '/');
  if (method === 'POST' && url.pathname === '/enter') {
    const cookie = door.enter(form.get('secret') ?? '');
    return cookie ? { cookie, location: to } : { page: entrancePage(to, true) };
  }
  if (!door.isIn({ headers })) return { page: entrancePage(url.pathname + url.search) };
  const token = form.get('token') ?? headers[TOKEN_HEADER]?.toString();
  return method === 'POST' && !door.mayChange(token) ? { page: entrancePage('/') } : undefined;
}

/** @returns when the browser has left */
async function send(desk: Desk, answer: Answer, response: ServerResponse): Promise<void> {
  const { page, part, location, cookie, events } = answer;
  const { profile, tokens } = desk;
  const headers = { ...SAFE_HEADERS, ...(cookie && { 'set-cookie': cookie }) };
  const scrub = (text: string) => tokens.scrub(text);
  if (location !== undefined) return void response.writeHead(303, { ...headers, location }).end();
  if (events) {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    response.flushHeaders();
    const left = new AbortController();
    response.once('close', () => left.abort());
    for await (const text of eventStream(desk, events, left.signal)) response.write(scrub(text));
    return;
  }
  const { name, environment } = profile;
  // Nobody who has not come in learns whose desk it is.
  const isIn = page?.isEntrance !== true;
  const shell = isIn ? { profile: name, environment } : undefined;
  const text = page
    ? pageText({ ...page, title: scrub(page.title), body: new Html(scrub(page.body.text)) }, shell)
    : scrub(part?.text ?? '');
  response.writeHead(page?.status ?? 200, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    // Without it, the text would leave in chunks.
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function defectPage(): Page {
  return {
    title: 'Defect',
    status: 500,
    body: html`<section class="card alert" role="alert"><h1>This is a defect in gw</h1><p>The terminal in which gw desk runs says more.</p></section>`,
  };
}
