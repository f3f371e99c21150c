/**
 * A text of rows, in the forms in which people have one, as UTF-8 in lines:
 *
 *   UTF-16 with a byte order mark, Excel's "Unicode Text"    UTF-8
 *   a carriage return without a line feed, not in quotes      a line feed
 *   an array of JSON objects, or objects over several lines   an object on each line
 *
 * Everything else stays as it is. An object stands on the line on which it began, as far as there are
 * lines enough: then numbers of lines are those that an editor shows.
 *
 * Bounds: what a chunk becomes, and the first bytes of the text, up to MAX_BEGINNING_BYTES.
 */
import { type Failure, usage } from '../../failure.ts';

const MAX_BEGINNING_BYTES = 4096;

const BYTE = {
  tab: 9,
  lineFeed: 10,
  verticalTab: 11,
  carriageReturn: 13,
  space: 32,
  quote: 34,
  comma: 44,
  backslash: 92,
  openBracket: 91,
  closeBracket: 93,
  openBrace: 123,
  closeBrace: 125,
} as const;

const WORKBOOKS: readonly Buffer[] = [
  // A zip file, as .xlsx and .ods are, and what .xls is.
  Buffer.from([0x50, 0x4b, 0x03, 0x04]),
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
];

const UTF8_MARK = Buffer.from('\ufeff');
/** By the byte order mark that a text begins with. */
const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]);

const NOTHING = Buffer.alloc(0);

/** Takes the chunks of a text, in order, and gives what they become. */
export class RowText {
  readonly #source: string;
  /** What came before the form of the text was known. */
  #beginning: Buffer | undefined = NOTHING;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  readonly #lineEnds = new LineEnds();
  #splitter: ObjectSplitter | undefined;

  /** @param source names the text in messages: `standard input`, or a path */
  constructor(source: string) {
    this.#source = source;
  }

  /** @throws Failure usage when it cannot be read as rows */
  push(chunk: Buffer): Buffer {
    if (!this.#beginning) return this.#split(this.#lineEnds.push(this.#decode(chunk, false)));
    const bytes = Buffer.concat([this.#beginning, chunk]);
    this.#beginning = bytes;
    return this.#isKnown(bytes) ? this.#begin(bytes) : NOTHING;
  }

  /**
   * @returns what is left when no more comes
   * @throws Failure usage when the text ends before it is whole
   */
  end(): Buffer {
    const begun = this.#beginning ? this.#begin(this.#beginning) : NOTHING;
    const last = this.#lineEnds.push(this.#decode(NOTHING, true));
    const rest = this.#split(Buffer.concat([last, this.#lineEnds.end()]));
    this.#splitter?.end();
    return Buffer.concat([begun, rest]);
  }

  #isKnown(bytes: Buffer): boolean {
    if (bytes.length >= MAX_BEGINNING_BYTES) return true;
    return bytes.length >= 4 && formOf(bytes) !== undefined;
  }

  #begin(bytes: Buffer): Buffer {
    if (WORKBOOKS.some((mark) => bytes.subarray(0, mark.length).equals(mark))) {
      throw usage(
        'file-is-workbook',
        `${this.#source} is a spreadsheet file, not text.`,
        'In your spreadsheet, save it as “CSV UTF-8”, and use that file.',
      );
    }
    this.#beginning = undefined;
    const encoding = encodingOf(bytes);
    if (encoding !== undefined) this.#decoder = new TextDecoder(encoding, { fatal: true });
    const form = formOf(bytes);
    const hasObjects = form === 'array' || form === 'objects';
    if (!hasObjects) return this.push(bytes);
    this.#splitter = new ObjectSplitter(this.#source, form === 'array');
    return this.push(bytes.subarray(bytes.indexOf(UTF8_MARK) === 0 ? UTF8_MARK.length : 0));
  }

  #decode(bytes: Buffer, isEnd: boolean): Buffer {
    if (!this.#decoder) return bytes;
    try {
      return Buffer.from(this.#decoder.decode(bytes, { stream: !isEnd }));
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      throw usage(
        'text-not-utf16',
        `${this.#source} begins as UTF-16 but continues in another encoding.`,
        'In your spreadsheet, save it as “CSV UTF-8”, and use that file.',
        cause,
      );
    }
  }

  #split(bytes: Buffer): Buffer {
    return this.#splitter?.push(bytes) ?? bytes;
  }
}

function encodingOf(bytes: Buffer): string | undefined {
  return ENCODINGS.get(bytes.subarray(0, 2).toString('hex'));
}

type Form = 'array' | 'objects' | 'other';

/** @returns undefined while that cannot be told */
function formOf(beginning: Buffer): Form | undefined {
  const bytes = beginning.subarray(0, MAX_BEGINNING_BYTES);
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes).trimStart();
  if (text === '') return undefined;
  if (text.startsWith('[')) return 'array';
  if (!text.startsWith('{')) return 'other';
  const rest = /^\{[\t ]*([^\t ])/.exec(text)?.[1];
  return rest === undefined ? undefined : /[\r\n]/.test(rest) ? 'objects' : 'other';
}

class LineEnds {
  #isReturned = false;
  #isQuoted = false;

  push(chunk: Buffer): Buffer {
    if (!this.#isReturned && !chunk.includes(BYTE.carriageReturn)) {
      this.#passQuotes(chunk);
      return chunk;
    }
    const bytes = Buffer.allocUnsafe(chunk.length + 1);
    let length = 0;
    for (const byte of chunk) {
      if (this.#isReturned && byte !== BYTE.lineFeed) bytes[length++] = this.#lone();
      if (byte === BYTE.quote) this.#isQuoted = !this.#isQuoted;
      this.#isReturned = byte === BYTE.carriageReturn;
      if (!this.#isReturned) bytes[length++] = byte;
    }
    return bytes.subarray(0, length);
  }

  end(): Buffer {
    return this.#isReturned ? Buffer.of(this.#lone()) : NOTHING;
  }

  /** A quote within quotes is written twice, and so changes nothing. */
  #passQuotes(chunk: Buffer): void {
    for (let at = chunk.indexOf(BYTE.quote); at >= 0; at = chunk.indexOf(BYTE.quote, at + 1))
      this.#isQuoted = !this.#isQuoted;
  }

  /** @returns what a carriage return without a line feed is: in a cell between quotes, itself */
  #lone(): number {
    return this.#isQuoted ? BYTE.carriageReturn : BYTE.lineFeed;
  }
}

type Place = 'before' | 'first' | 'object' | 'after' | 'next' | 'end';

/** What may stand between objects, and where that leads. */
const BETWEEN: Readonly<Record<Exclude<Place, 'object'>, ReadonlyMap<number, Place>>> = {
  before: new Map([[BYTE.openBracket, 'first']]),
  first: new Map<number, Place>([
    [BYTE.openBrace, 'object'],
    [BYTE.closeBracket, 'end'],
  ]),
  after: new Map<number, Place>([
    [BYTE.comma, 'next'],
    [BYTE.closeBracket, 'end'],
  ]),
  next: new Map([[BYTE.openBrace, 'object']]),
  end: new Map(),
};

/** Objects of JSON that are not a line each. */
class ObjectSplitter {
  readonly #source: string;
  readonly #isArray: boolean;
  #place: Place;
  /** Of the text, and of what it becomes, from 1. */
  #line = 1;
  #lineMade = 1;
  #isFirst = true;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  constructor(source: string, isArray: boolean) {
    this.#source = source;
    this.#isArray = isArray;
    this.#place = isArray ? 'before' : 'next';
  }

  push(chunk: Buffer): Buffer {
    const made: number[] = [];
    const pieces: Buffer[] = [];
    for (const byte of chunk) {
      if (this.#place === 'object') this.#addToObject(byte, made);
      else if (!isSpace(byte)) {
        this.#place = this.#beyond(this.#place, byte);
        if (this.#place === 'object') this.#beginObject(made);
      }
      if (byte === BYTE.lineFeed) this.#line++;
      if (made.length >= 1 << 16) pieces.push(Buffer.from(made.splice(0)));
    }
    return Buffer.concat([...pieces, Buffer.from(made)]);
  }

  /** @throws Failure usage unless all that was begun is closed */
  end(): void {
    const isWhole = this.#isArray ? this.#place === 'end' : this.#place !== 'object';
    if (!isWhole) throw this.#fault('the JSON ends before it is closed: it may be cut off');
  }

  #addToObject(byte: number, made: number[]): void {
    if (byte === BYTE.lineFeed) {
      // In a text it is not valid, and stays so.
      made.push(this.#isInText ? BYTE.verticalTab : BYTE.space);
      return;
    }
    made.push(byte);
    if (this.#isInText) {
      if (byte === BYTE.quote && !this.#isEscaped) this.#isInText = false;
      this.#isEscaped = byte === BYTE.backslash && !this.#isEscaped;
      return;
    }
    this.#isInText = byte === BYTE.quote;
    if (byte === BYTE.openBrace || byte === BYTE.openBracket) this.#depth++;
    if (byte === BYTE.closeBrace || byte === BYTE.closeBracket) this.#depth--;
    if (this.#depth === 0) this.#place = this.#isArray ? 'after' : 'next';
  }

  /** @returns where a byte between objects leads */
  #beyond(place: Exclude<Place, 'object'>, byte: number): Place {
    const next = BETWEEN[place].get(byte);
    if (next !== undefined) return next;
    if (place === 'end') throw this.#fault('something follows the end of the array');
    if (place === 'after') throw this.#fault('a comma is missing between two objects');
    throw this.#fault('there is something here that is not a JSON object');
  }

  #beginObject(made: number[]): void {
    const lines = Math.max(this.#line - this.#lineMade, this.#isFirst ? 0 : 1);
    for (let n = 0; n < lines; n++) made.push(BYTE.lineFeed);
    this.#lineMade += lines;
    this.#isFirst = false;
    this.#depth = 1;
    made.push(BYTE.openBrace);
  }

  #fault(what: string): Failure {
    return usage(
      'json-invalid',
      `${this.#source} is not valid JSON. Line ${this.#line}: ${what}.`,
      'Correct it, then run the command again.',
    );
  }
}

const SPACES: readonly number[] = [BYTE.space, BYTE.lineFeed, BYTE.tab, BYTE.carriageReturn];
const isSpace = (byte: number) => SPACES.includes(byte);
