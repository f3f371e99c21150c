/**
 * Splits bytes into lines. gw splits before it decodes, so the limit counts bytes, and a character split across two
 * chunks is whole again. It holds at most one line at a time.
 */
import { type Failure, usage } from '../../failure.ts';
import { decodeUtf8, howToMakeUtf8, stripByteOrderMark } from '../utf8.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * @param source names the text in messages: `standard input`, or a path
 * @throws Failure usage if a line is longer than `maxLineBytes` or not UTF-8
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes: number,
  source: string,
): AsyncGenerator<string> {
  let number = 1;
  let begun: Buffer[] = [];
  let begunBytes = 0;

  const finish = (rest: Buffer): string => {
    let line: Buffer = begunBytes === 0 ? rest : Buffer.concat([...begun, rest]);
    if (line.at(-1) === CARRIAGE_RETURN) line = line.subarray(0, -1);
    if (number === 1) line = stripByteOrderMark(line);
    if (line.length > maxLineBytes) throw lineTooLong();
    const text = decodeUtf8(line);
    if (text === undefined) {
      throw usage(
        'line-not-utf8',
        `Line ${number} of ${source} is not UTF-8.`,
        howToMakeUtf8(line),
      );
    }
    if (begunBytes > 0) begun = [];
    begunBytes = 0;
    number++;
    return text;
  };
  const lineTooLong = (): Failure =>
    usage(
      'line-too-long',
      `Line ${number} of ${source} is longer than ${maxLineBytes} bytes.`,
      'Check that it is the input you meant, or split it.',
    );

  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      yield finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) {
      // Copy the rest, because the chunk's buffer may be reused.
      begun.push(Buffer.from(chunk.subarray(start)));
      begunBytes += chunk.length - start;
      // Allow one more byte for the CR of a CR LF whose LF has not arrived yet.
      if (begunBytes > maxLineBytes + 1) throw lineTooLong();
    }
  }
  if (begunBytes > 0) yield finish(Buffer.alloc(0));
}
