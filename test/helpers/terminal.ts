/**
 * A terminal in which people type: a pseudo-terminal of script(1), whose bytes a terminal emulator turns
 * into a screen. Nothing is polled: what is waited for is looked for whenever the screen has changed.
 */
import { createRequire } from 'node:module';
import type { Terminal as Emulator, IBufferCell } from '@xterm/headless';
import { type Ended, type Running, start } from './run.ts';

// A CommonJS module, whose names an import would not find.
const headless = createRequire(import.meta.url)('@xterm/headless') as {
  Terminal: typeof Emulator;
};

/** How characters look: numbers are of the sixteen colours; without one it is the terminal's own. */
export interface Look {
  foreground?: number;
  background?: number;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  /** The two colours change places. */
  inverse?: true;
}

/** Characters side by side that look the same. */
export interface Piece {
  /** The cell that it begins in, from 0. */
  column: number;
  /** In cells; a wide character has two. */
  width: number;
  text: string;
  look: Look;
}

export interface Terminal {
  /** Shows a prompt and the line, runs it by `sh`, and resolves when it has ended. */
  run(line: string): Promise<Ended>;
  /** Like `run`, for a command that is still running; `shows` waits for its output. The output of ended ones stays. */
  begin(line: string): Running;
  /** Types keys into what is running: '\r' is Return, '\x03' Ctrl-C. */
  type(keys: string): void;
  /**
   * Resolves when the rows of the screen and what has left it at the top, as lines, match.
   * @param times how often, at least
   */
  shows(pattern: RegExp, times?: number): Promise<void>;
  /** @returns what is on the screen and above it, without the empty rows at its end */
  text(): string[];
  /** The same, with its looks; rows of nothing have no pieces. */
  rows(): Piece[][];
  /** Ends what is running. */
  close(): Promise<void>;
}

export interface TerminalOptions {
  columns: number;
  rows: number;
  /** All of the environment but TERM. */
  env: NodeJS.ProcessEnv;
  /** The folder in which commands run. */
  cwd: string;
  /** Texts that differ between machines, and the texts to show instead. */
  shownAs?: ReadonlyMap<string, string>;
}

const SCROLLED_ROWS = 10_000;
const PROMPT = '\u001b[2m$\u001b[22m ';
const CONTINUED = '\r\n\u001b[2m>\u001b[22m ';

/** @param options the size, as the program is told it too */
export function openTerminal({ columns, rows, env, cwd, shownAs }: TerminalOptions): Terminal {
  const emulator = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: SCROLLED_ROWS,
    allowProposedApi: true,
  });
  const watchers = new Set<() => void>();
  let running: Running | undefined;
  // Answers to questions of a program, such as the position of the cursor.
  emulator.onData((answer) => running?.child.stdin?.write(answer));
  const show = (text: string) =>
    new Promise<void>((resolve) => {
      emulator.write(text, () => {
        for (const watcher of watchers) watcher();
        resolve();
      });
    });
  const textRows = () => trimmed(emulator, (y) => rowText(emulator, y));

  const terminal: Terminal = {
    begin(line) {
      const isFirst = emulator.buffer.active.cursorX === 0;
      void show(`${isFirst ? '' : '\r\n'}${PROMPT}${line.replaceAll('\n', CONTINUED)}\r\n`);
      const command = `stty rows ${rows} cols ${columns} && ${line}`;
      const started = start('script', ['-qec', command, '/dev/null'], {
        cwd,
        env: { ...env, SHELL: '/bin/sh', TERM: 'xterm-256color' },
      });
      const translate = translator(shownAs ?? new Map());
      started.child.stdout
        ?.on('data', (text: string) => void show(translate(text)))
        .on('end', () => void show(translate()));
      // The emulator draws what it is given in turns of its own.
      const isShown = async (ended: Ended) => {
        await show('');
        return ended;
      };
      running = { ...started, ended: started.ended.then(isShown) };
      return running;
    },
    run: (line) => terminal.begin(line).ended,
    type: (keys) => void running?.child.stdin?.write(keys),
    shows: (pattern, times = 1) =>
      new Promise((resolve, reject) => {
        const watcher = () => {
          if (textRows().join('\n').split(pattern).length <= times) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        watcher();
        running?.ended
          .then(() => {
            throw new Error(`never showed ${pattern}, ${times} times:\n${textRows().join('\n')}`);
          })
          .catch(reject);
      }),
    text: textRows,
    rows: () => trimmed(emulator, (y) => rowPieces(emulator, y)),
    async close() {
      running?.child.kill();
      await running?.ended;
    },
  };
  return terminal;
}

/**
 * @returns a function that takes what comes, in pieces of any size, and returns it with the values in
 *   place of the keys; the beginning of a key at the end of a piece waits for the next one, or for the
 *   end, at which there is none
 */
function translator(words: ReadonlyMap<string, string>): (text?: string) => string {
  let kept = '';
  return (text) => {
    const whole = [...words].reduce(
      (all, [word, shown]) => all.replaceAll(word, shown),
      kept + (text ?? ''),
    );
    const waiting =
      text === undefined ? 0 : Math.max(0, ...[...words.keys()].map((word) => begun(whole, word)));
    kept = whole.slice(whole.length - waiting);
    return whole.slice(0, whole.length - waiting);
  };
}

/** @returns how many characters at the end of a text are the beginning of a word */
function begun(text: string, word: string): number {
  for (let length = word.length - 1; length > 0; length--) {
    if (text.endsWith(word.slice(0, length))) return length;
  }
  return 0;
}

/** @returns what `read` finds in each row, without those at the end in which it finds nothing */
function trimmed<T extends string | unknown[]>(emulator: Emulator, read: (y: number) => T): T[] {
  const all = Array.from({ length: emulator.buffer.active.length }, (_, y) => read(y));
  return all.slice(0, all.findLastIndex((row) => row.length > 0) + 1);
}

function rowText(emulator: Emulator, y: number): string {
  return emulator.buffer.active.getLine(y)?.translateToString(true) ?? '';
}

function rowPieces(emulator: Emulator, y: number): Piece[] {
  const line = emulator.buffer.active.getLine(y);
  const pieces: Piece[] = [];
  for (let column = 0; line && column < emulator.cols; column++) {
    const cell = line.getCell(column);
    // The second half of a wide character.
    if (!cell || cell.getWidth() === 0) continue;
    const look = lookOf(cell);
    const text = cell.getChars() || ' ';
    const last = pieces.at(-1);
    if (last && sameLook(last.look, look)) {
      last.text += text;
      last.width += cell.getWidth();
    } else {
      pieces.push({ column, width: cell.getWidth(), text, look });
    }
  }
  return withoutEnd(pieces);
}

/** Removes blanks without a background at the end of a row. */
function withoutEnd(pieces: Piece[]): Piece[] {
  const last = pieces.at(-1);
  if (!last || last.look.background !== undefined || last.look.inverse) return pieces;
  const text = last.text.trimEnd();
  const rest = pieces.slice(0, -1);
  if (text === '') return withoutEnd(rest);
  return [...rest, { ...last, text, width: last.width - (last.text.length - text.length) }];
}

function lookOf(cell: IBufferCell): Look {
  const foreground = colour(cell.isFgDefault(), cell.isFgPalette(), cell.getFgColor());
  const background = colour(cell.isBgDefault(), cell.isBgPalette(), cell.getBgColor());
  return {
    ...(foreground === undefined ? {} : { foreground }),
    ...(background === undefined ? {} : { background }),
    ...(cell.isBold() ? { bold: true } : {}),
    ...(cell.isDim() ? { dim: true } : {}),
    ...(cell.isItalic() ? { italic: true } : {}),
    ...(cell.isUnderline() ? { underline: true } : {}),
    ...(cell.isInverse() ? { inverse: true } : {}),
  };
}

/** @throws Error for a colour that is none of the sixteen, which every terminal shows in its own way */
function colour(isDefault: boolean, isPalette: boolean, value: number): number | undefined {
  if (isDefault) return undefined;
  if (!isPalette || value > 15) throw new Error(`a colour of its own: ${value}`);
  return value;
}

const sameLook = (a: Look, b: Look) => JSON.stringify(a) === JSON.stringify(b);
