/**
 * One call of keytar, made in a process of its own.
 *
 * keytar blocks a thread of libuv's pool for as long as the keychain takes, which may be for good,
 * and a process cannot exit while such a thread is stuck (host/ending.ts). A child can be killed, and a
 * crash of the native code, which a locked keychain has been seen to cause, takes only the child
 * along. It costs about 50 ms, once per command, beside the rest of the start.
 *
 * The request goes to the child's stdin and the answer comes from its stdout, one JSON object each,
 * so no secret is in an argument list. The child ends itself when its stdin closes: it does not
 * survive gw, however gw ends.
 */
import { createRequire } from 'node:module';

export interface KeychainRequest {
  method: 'getPassword' | 'setPassword' | 'deletePassword';
  arguments: readonly string[];
}

/** `load` and `call` carry the native code's own words. */
export type KeychainAnswer =
  | { result: 'value'; value: string | boolean | null }
  | { result: 'missing' }
  | { result: 'load'; message: string }
  | { result: 'call'; message: string }
  | { result: 'crash'; message: string }
  | { result: 'timeout' };

export interface KeychainChildOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Directory or main file of the keytar package. */
  keytar: string | undefined;
  interrupted: AbortSignal;
}

/** A call under way. */
export interface KeychainCall {
  answer: Promise<KeychainAnswer>;
  /** Ends the call if it is still under way; its answer is then `timeout`. */
  kill(): void;
}

/**
 * keytar's loader hides why the native code did not load, so the same paths are tried once more.
 * The script is text, not a file, so that it needs no place in the built program.
 */
const SCRIPT = `
const path = require('node:path');
let text = '';
const answer = (object) => process.stdout.write(JSON.stringify(object) + '\\n');
process.stdin.setEncoding('utf8');
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL'));
process.stdin.on('data', (chunk) => {
  text += chunk;
  if (text.endsWith('\\n')) run(JSON.parse(text));
});
function run(request) {
  let keytar;
  try {
    keytar = require(request.keytar);
  } catch (error) {
    return answer({ result: 'load', message: whyNot(request.keytar) || String(error.message) });
  }
  keytar[request.method](...request.arguments).then(
    (value) => answer({ result: 'value', value: value === undefined ? null : value }),
    (error) => answer({ result: 'call', message: String(error.message) }),
  );
}
function whyNot(main) {
  const folder = path.join(path.dirname(require.resolve(main)), '..');
  const places = ['build/Release', 'prebuilds/' + process.platform + '-' + process.arch];
  for (const place of places) {
    try {
      require(path.join(folder, place, 'keytar.node'));
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') return error.message;
    }
  }
}
`;

/** Longer than any secret that gw stores, in any encoding. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** @returns the path of the installed keytar package, or undefined when npm left it out */
export function findKeytar(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('keytar');
  } catch {
    return undefined;
  }
}

/** Starts one call. It answers once, or when `kill` is called; a caller sees to it that one happens. */
export async function startKeychainCall(
  request: KeychainRequest,
  { env, keytar, interrupted }: KeychainChildOptions,
): Promise<KeychainCall> {
  if (interrupted.aborted) throw interrupted.reason;
  if (keytar === undefined) {
    return { answer: Promise.resolve({ result: 'missing' }), kill: () => undefined };
  }
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, ['-e', SCRIPT], {
    env: environmentOf(env),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });

  let killed = false;
  const answer = new Promise<KeychainAnswer>((resolve, reject) => {
    let text = '';
    const onInterrupt = () => {
      child.kill('SIGKILL');
      reject(interrupted.reason);
    };
    interrupted.addEventListener('abort', onInterrupt, { once: true });
    const settle = (value: KeychainAnswer) => {
      interrupted.removeEventListener('abort', onInterrupt);
      child.kill('SIGKILL');
      resolve(value);
    };
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('\n')) settle(parseAnswer(text));
      else if (text.length > MAX_ANSWER_BYTES) {
        settle({ result: 'crash', message: 'its answer does not end' });
      }
    });
    child.on('error', (error) => settle({ result: 'crash', message: error.message }));
    child.on('close', (code, signal) => {
      settle(
        killed
          ? { result: 'timeout' }
          : { result: 'crash', message: `it ended with ${signal ?? code}` },
      );
    });
  });
  // A child that is gone already shows as its close; the write has nothing to add.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify({ ...request, keytar })}\n`);
  return {
    answer,
    kill() {
      killed = true;
      child.kill('SIGKILL');
    },
  };
}

function parseAnswer(text: string): KeychainAnswer {
  try {
    return JSON.parse(text) as KeychainAnswer;
  } catch {
    return { result: 'crash', message: 'its answer cannot be understood' };
  }
}

/** NODE_OPTIONS may make the child print or wait for a debugger; gw's own variables are not its business. */
function environmentOf(env: KeychainChildOptions['env']): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(
    ([name]) => name !== 'NODE_OPTIONS' && !name.startsWith('GW_'),
  );
  return Object.fromEntries(kept);
}
