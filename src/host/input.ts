/**
 * stdin as lines or as one text.
 *
 * Bytes are split before they are decoded: a limit is a limit in bytes, and a character that lies
 * across two chunks is whole again when its line is. No more than one line is held at a time.
 */
import fs from 'node:fs';
import { type Failure, usage } from '../failure.ts';
import type { Input } from './host.ts';
import { decodeUtf8, stripByteOrderMark } from './utf8.ts';

const STDIN = 0;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** @param interrupted ends a read that waits for input */
export function createInput(stream: NodeJS.ReadStream, interrupted: AbortSignal): Input {
  return {
    get isTerminal() {
      return stream.isTTY === true;
    },
    lines: (maxLineBytes) => readLines(stream, interrupted, maxLineBytes),
    async text(maxBytes) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of readChunks(stream, interrupted)) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw tooLong(`Standard input is larger than ${maxBytes} bytes`);
        chunks.push(chunk);
      }
      return decode(stripByteOrderMark(Buffer.concat(chunks)), 'Standard input');
    },
  };
}

async function* readLines(
  stream: NodeJS.ReadStream,
  interrupted: AbortSignal,
  maxLineBytes: number,
): AsyncGenerator<string> {
  let number = 1;
  let begun: Buffer[] = [];
  let begunBytes = 0;

  const finish = (): string => {
    let line: Buffer = Buffer.concat(begun);
    if (line.at(-1) === CARRIAGE_RETURN) line = line.subarray(0, -1);
    if (number === 1) line = stripByteOrderMark(line);
    if (line.length > maxLineBytes) throw lineTooLong();
    const text = decode(line, `Line ${number} of standard input`);
    begun = [];
    begunBytes = 0;
    number++;
    return text;
  };
  const add = (bytes: Buffer) => {
    begun.push(bytes);
    begunBytes += bytes.length;
    // One more for the CR of a CR LF whose LF has not come yet.
    if (begunBytes > maxLineBytes + 1) throw lineTooLong();
  };
  const lineTooLong = () =>
    tooLong(`Line ${number} of standard input is longer than ${maxLineBytes} bytes`);

  for await (const chunk of readChunks(stream, interrupted)) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      add(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (begunBytes > 0) yield finish();
}

async function* readChunks(
  stream: NodeJS.ReadStream,
  interrupted: AbortSignal,
): AsyncGenerator<Buffer> {
  const stop = () => stream.destroy(interrupted.reason);
  if (interrupted.aborted) throw interrupted.reason;
  // Node shows a directory as a stream without content.
  if (fs.fstatSync(STDIN).isDirectory()) throw unreadable('it is a directory');
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
    `Standard input could not be read: ${reason}.`,
    'Pipe the text in, or redirect a file: `gw … - < FILE`.',
    cause,
  );
}

function tooLong(message: string): Failure {
  return usage(`${message}.`, 'Check that it is the input you meant, or split it.');
}

function decode(bytes: Buffer, whatItIs: string): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    throw usage(`${whatItIs} is not UTF-8.`, 'Convert it, for example with `iconv -t UTF-8`.');
  }
  return text;
}
