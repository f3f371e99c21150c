/** A desk that listens in this process, with the ledger of a home, and requests as a browser sends them. */
import { request } from 'node:http';
import path from 'node:path';
import type { Program } from '../../src/cli/dispatch/program.ts';
import { LOCAL_PROFILE, type Profile } from '../../src/client/profiles/profile.ts';
import { DeskServer } from '../../src/commands/desk/desk-server.ts';
import type { Door } from '../../src/commands/desk/door.ts';
import type { Clock, Host } from '../../src/host/host.ts';
import { Redactor } from '../../src/host/redaction/redactor.ts';
import { createTestHost, type TestHost } from './cli.ts';

/** The sources have no built program: a page that runs a command fails. */
export const NO_PROGRAM: Program = {
  root: '',
  names: { isCommand: () => false, isTopic: () => false },
  load: Object.assign(
    () => {
      throw new Error('no command is built');
    },
    { keepAll: () => true },
  ),
};

export interface OpenDesk {
  host: TestHost;
  door: Door;
  server: DeskServer;
  port: number;
  /** The headers of a browser that has come in. */
  own: Record<string, string>;
  ask(target: string, options?: Asking): Promise<Answered>;
  close(): Promise<void>;
}

export interface Asking {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Opens a desk, and comes in. */
export async function openDesk(
  home: string,
  {
    profile = LOCAL_PROFILE,
    clock,
    idleMs = 3_600_000,
    interrupted,
  }: { profile?: Profile; clock?: Clock; idleMs?: number; interrupted?: AbortSignal } = {},
): Promise<OpenDesk> {
  const made = createTestHost({ home });
  const host: TestHost = {
    ...made,
    ...(clock && { clock }),
    ...(interrupted && { interrupted }),
  };
  const context = { host: host as Host, redactor: new Redactor(), root: path.resolve('.') };
  const us = { profile, of: profile };
  const server = new DeskServer(context, { profile, us, program: NO_PROGRAM, port: 0, idleMs });
  const door = await server.open();
  const port = Number(new URL(door.address('/')).port);
  const { own, ask } = await enter(door.address('/'));
  return { host, door, server, port, own, ask, close: () => server.close() };
}

/** @param address with the secret @returns how a browser asks that has come in by it */
export async function enter(address: string): Promise<Pick<OpenDesk, 'own' | 'ask'>> {
  const { origin, port, hash } = new URL(address);
  const own: Record<string, string> = { origin };
  const ask: OpenDesk['ask'] = (target, asking) => send(Number(port), target, asking);
  const body = new URLSearchParams({ secret: hash.slice(1) }).toString();
  const entered = await ask('/enter', { method: 'POST', headers: own, body });
  own.cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
  return { own, ask };
}

/** Sends a request as it is, also what a library would not send. */
export function send(
  port: number,
  target: string,
  { method = 'GET', headers = {}, body = '' }: Asking = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: target, method, headers, agent: false });
    asked.on('error', reject);
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    asked.end(body);
  });
}
