/** The gateways that something is measured against, each as a process of its own. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

export const PROGRAM = path.resolve('bin/gw.cjs');

/**
 * @param {string} home folder for its state and for the commands that are run against it
 * @param {Record<string, string | undefined>} base environment of both
 * @returns its address and process, the environment of a command that has an account at it, and how to end it
 */
export async function startGateway(home, base = { PATH: process.env.PATH, HOME: home }) {
  const server = spawn(
    process.execPath,
    [PROGRAM, 'emulator', 'start', '--port', '0', '--db', path.join(home, 'gateway.db')],
    { env: base, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  // Also when what measures it fails.
  process.on('exit', () => server.kill());
  /** @type {string} */
  const url = await new Promise((resolve) => createInterface(server.stdout).once('line', resolve));
  const account = {
    GW_USERNAME: 'TEST',
    GW_API_TOKEN: 'TEST',
    GW_BASE_URL: url,
    GW_ENVIRONMENT: 'sandbox',
  };
  return {
    url,
    pid: server.pid,
    env: { ...base, ...account },
    async stop() {
      server.kill('SIGTERM');
      await new Promise((resolve) => server.on('close', resolve));
    },
  };
}

/**
 * Starts the server that answers each refund at once (refund-server.cjs).
 * @param {(string | undefined)[]} files of a key and a certificate, for https
 * @returns {Promise<string>} its address
 */
export async function startRefundServer(...files) {
  const program = path.join(import.meta.dirname, 'refund-server.cjs');
  const child = spawn(process.execPath, [program, ...files.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => child.kill());
  return new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
}

/** @param {number[]} numbers @returns {number} */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
