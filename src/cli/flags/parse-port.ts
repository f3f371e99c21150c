import { usage } from '../../failure.ts';

const MAX_PORT = 65_535;

/**
 * @param text value of `--port`
 * @param usual the port that is named as an example
 * @returns the port; 0 lets the system choose
 * @throws Failure usage when it is none
 */
export function parsePort(text: string, usual: number): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= MAX_PORT) return port;
  throw usage(
    'port-invalid',
    `--port takes a number from 0 to ${MAX_PORT}, not ${JSON.stringify(text)}.`,
    `For example --port ${usual}.`,
  );
}
