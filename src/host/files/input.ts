/** Reads stdin as lines or as a whole. */
import { fstatSync } from 'node:fs';
import { type Failure, usage } from '../../failure.ts';
import type { Input } from '../host.ts';
import { textOfBytes } from '../utf8.ts';
import { splitLines } from './lines.ts';

const STDIN = 0;

/** @param interrupted ends a read that waits for input */
export function createInput(stream: NodeJS.ReadStream, interrupted: AbortSignal): Input {
  const bytes = async (maxBytes: number) => {
    const chunks: Buffer[] = [];
    let count = 0;
    for await (const chunk of readChunks(stream, interrupted)) {
      count += chunk.length;
      if (count > maxBytes) throw tooLong(`Standard input is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
  return {
    get isTerminal() {
      return stream.isTTY === true;
    },
    lines: (maxLineBytes) =>
      splitLines(readChunks(stream, interrupted), maxLineBytes, 'standard input'),
    bytes,
    text: async (maxBytes) => textOfBytes(await bytes(maxBytes), 'Standard input'),
  };
}

/** @param interrupted ends a read that waits for input */
async function* readChunks(
  stream: NodeJS.ReadStream,
  interrupted: AbortSignal,
): AsyncGenerator<Buffer> {
  const stop = () => stream.destroy(interrupted.reason);
  if (interrupted.aborted) throw interrupted.reason;
  // Node shows a directory as an empty stream.
  if (fstatSync(STDIN).isDirectory()) throw unreadable('it is a directory');
  interrupted.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream) yield Buffer.from(chunk);
  } catch (error) {
    if (interrupted.aborted) throw interrupted.reason;
    if (error instanceof Error && 'code' in error) throw unreadable(String(error.code), error);
    throw error;
  } finally {
    interrupted.removeEventListener('abort', stop);
  }
}

function unreadable(reason: string, cause?: unknown): Failure {
  return usage(
    'input-unreadable',
    `Standard input could not be read: ${reason}.`,
    'Pipe the text in, or redirect a file: `gw … - < FILE`.',
    { cause },
  );
}

function tooLong(message: string): Failure {
  return usage(
    'input-too-large',
    `${message}.`,
    'Check that this is the input you meant, or split it.',
  );
}
