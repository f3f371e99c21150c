/**
 * Everything outside the program, as interfaces: terminal, clock, files, keychain, other programs.
 *
 * Only `host` touches `process`, timers, files and the keychain. The rest of gw receives a `Host`, or the smallest part
 * of it that it needs. This makes it testable.
 *
 * Tests: test/unit/host/create.test.ts
 */
import type { Json } from '../base/json.ts';

export interface Output {
  /** true if a person is looking. */
  readonly isTerminal: boolean;
  /** Width in character cells; 80 if unknown. */
  readonly columns: number;
  /** Whether colour may be used (terminal, NO_COLOR, FORCE_COLOR, CLICOLOR, TERM). */
  readonly color: boolean;
  /** Whether the terminal can show block characters (the locale's encoding, TERM). */
  readonly blocks: boolean;
  /**
   * true for a screen reader (`--plain`, GW_PLAIN, TERM=dumb). Then gw writes only lines of words. It uses no bars,
   * boxes, spinners or signs in place of words, and draws nothing again.
   */
  readonly isPlain: boolean;
  /**
   * Writes the text. If it fails, a part may have been written. Resolves when the system has accepted the text and all
   * earlier writes to the same place. On stderr, a text that cannot be written is dropped.
   * @throws Failure unread if the reader closed the pipe, incomplete if it cannot be written for another reason (the
   *   disk is full). After the first failure, every write throws it without trying.
   */
  write(text: string): Promise<void>;
}

/** An output that shows its text in a pager when it ends. */
export interface PagedOutput extends Output {
  /** Resolves once the reader has left the pager, if there was one. */
  end(): Promise<void>;
}

export interface Input {
  readonly isTerminal: boolean;
  /**
   * Yields lines without line ends (LF or CR LF) and without a byte order mark.
   * @throws Failure usage if a line is longer than `maxLineBytes` or not UTF-8, or nothing can be read; Failure
   *   interrupted as soon as the program is interrupted
   */
  lines(maxLineBytes: number): AsyncIterable<string>;
  /** Returns all input, with a limit of `maxBytes` in total. Throws the same failures. */
  text(maxBytes: number): Promise<string>;
  /** Like `text`, for what may be no text. */
  bytes(maxBytes: number): Promise<Buffer>;
}

export interface Clock {
  now(): Date;
  /** Milliseconds since this machine started, including sleep. Setting the clock does not change it. */
  uptimeMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason if it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Files {
  /** gw's own configuration directory (XDG). @throws Failure usage if there is no home directory */
  readonly configDirectory: string;
  /** gw's own state directory (XDG). @throws Failure usage if there is no home directory */
  readonly stateDirectory: string;
  /**
   * @param encoding of the text; UTF-8 if left out
   * @returns the text of a file that the user named; undefined if it does not exist
   * @throws Failure usage if it is not a regular file, unreadable, not in this encoding or larger than `maxBytes`
   */
  read(path: string, maxBytes: number, encoding?: 'windows-1252'): string | undefined;
  /**
   * Replaces a file in one step, readable by the user only (0600), with its directories (0700).
   * @throws Failure usage if it cannot be written
   */
  writePrivate(path: string, text: string): void;
  /**
   * Writes a file that only the user can read (0600), where there is none.
   * @throws Failure usage if there is one, or it cannot be written
   */
  writeNew(path: string, contents: string | Uint8Array): void;
  /**
   * Appends to a file with the modes of `writePrivate`. If another process takes the file meanwhile, the text is in
   * what it takes, in the new file, or in both.
   * @returns the size of the file afterwards, in bytes
   * @throws Failure usage if it cannot be written
   */
  append(path: string, text: string): number;
  /**
   * Removes a file and returns its text. Only one process may take a file at a time.
   * @returns its text; undefined if there is no file
   * @throws Failure usage if it cannot be taken
   */
  take(path: string): string | undefined;
  /** @returns the names in a directory; none if it is missing or cannot be read */
  list(directory: string): readonly string[];
  /** Removes a file. Another process may have removed it already. @throws Failure usage if it cannot be removed */
  remove(path: string): void;
  /** @returns the size of a file in bytes; 0 if there is none */
  size(path: string): number;
  /** @returns whether two paths lead to the same file, following links; the file need not exist */
  isSame(one: string, other: string): boolean;
  /**
   * Closes gw's own folders to others.
   * @returns the folders that were open until now, and those that others can still change
   */
  keepPrivate(): { readonly tightened: readonly string[]; readonly exposed: readonly string[] };
  /** Changes nothing. @returns gw's own folders that others may enter, and those that somebody else owns */
  findExposed(): { readonly open: readonly string[]; readonly foreign: readonly string[] };
}

export interface KeychainState {
  held: string | undefined;
  hasOthers: boolean;
}

export interface Keychain {
  /** Name of this system's keychain. */
  readonly name: string;
  /**
   * Each method throws Failure auth if the keychain is missing, locked or does not answer in time.
   * @returns the secret; undefined if the keychain holds none for the account, or, on Linux, is locked
   */
  get(account: string): Promise<string | undefined>;
  /** Does the same as `get` within five seconds, so nobody has time to unlock the keychain. */
  peek(account: string): Promise<string | undefined>;
  /**
   * Refuses to overwrite or delete an entry with attributes of a person's own.
   * @returns what the keychain holds afterwards, which is something else if a person declined (KeePassXC asks), and
   *   whether it has an entry for the account that gw does not find
   */
  set(account: string, secret: string): Promise<KeychainState>;
  /**
   * @returns whether there was something to delete
   * @throws Failure auth also if something stays, or may be hidden because the keychain is locked
   */
  delete(account: string): Promise<boolean>;
}

/** @returns true, or what is wrong with an answer, in a few words */
export type Check = (value: string) => string | true;

/** One of several answers. */
export interface Choice {
  value: string;
  /** Text in the list. */
  name: string;
  /** Explanation beside the name. */
  hint?: string;
}

/** Likely answers to a question. Any other text that passes the check is accepted too. */
export interface Candidates {
  /** A few words above the list: which records these are. */
  title: string;
  listed: readonly Choice[];
  /** A sentence: how to find more of them. */
  more?: string | undefined;
}

export interface HiddenOptions {
  check?: Check;
}

export interface TextOptions extends HiddenOptions {
  initial?: string;
  /** @returns the interpretation of an answer, which replaces it on the screen once accepted */
  shown?: (typed: string) => string;
  /** Listed above the question. */
  candidates?: Candidates;
  /** true if a refused answer has to be typed anew, because typing it is the point. */
  isAnew?: true;
}

/**
 * Asks questions on stderr. Text typed before a question was drawn does not answer it. A refused answer stays to be
 * corrected, unless it is hidden. Ctrl-C, Ctrl-D on an empty line, the end of the input and a signal throw Failure
 * interrupted with the code `cancelled`. Its message says that nothing was sent. The caller adds anything else that
 * matters.
 */
export interface Prompts {
  /** Asks for a line of text. */
  text(question: string, options?: TextOptions): Promise<string>;
  /** Asks without showing the typed text. */
  hidden(question: string, options?: HiddenOptions): Promise<string>;
  /** Asks for one of a list. @returns its value */
  select(question: string, choices: readonly Choice[]): Promise<string>;
  /** Asks for yes or no. Enter alone means no. */
  confirm(question: string): Promise<boolean>;
}

/** A command line of the user's, named after the flag that sets it. */
export type CommandName = 'credential command' | 'ledger command';

export interface Shell {
  /**
   * Runs a command line of the user's through the system shell, with the user's stderr. Its stdin is the user's if that
   * is a terminal, and otherwise empty, so it cannot consume piped input.
   * @param name its name in messages
   * @returns its stdout
   * @throws Failure auth if it fails, prints more than 64 KiB or takes longer than `timeoutMs`
   */
  run(commandLine: string, timeoutMs: number, name?: CommandName): Promise<string>;
}

export interface Processes {
  /** Permanent name of this process. No other process, on this machine or another, ever has it. */
  readonly self: string;
  /** @returns whether the named process has ended; undefined if this process cannot tell */
  isGone(name: string): boolean | undefined;
}

/** Result of a jq run. */
export interface JqEnd {
  /** jq's exit code; undefined if it broke off, for example because memory ran out. */
  exitCode: number | undefined;
  /** jq's stderr, or the reason why it broke off. */
  stderr: string;
  /** jq's output: whole lines, each with its end. */
  stdout: string;
}

/**
 * jq on a thread of its own, because an expression may run forever. It has no access to files, environment or network.
 */
export interface Jq {
  /**
   * Runs an expression. Runs follow one another.
   * @param input parts of JSON texts; without any, jq compiles the expression but does not evaluate it
   * @param interrupted ends a running jq when aborted
   * @throws the reason of `interrupted`, after ending jq
   */
  run(expression: string, input: readonly string[], interrupted?: AbortSignal): Promise<JqEnd>;
}

/** The user and the machine that run gw, according to the system. */
export interface User {
  /** Name of this machine's user; `unknown` if there is none. */
  name: string;
  machine: string;
}

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /**
   * @returns stdout for long output. undefined if stdout is not a terminal, the output is plain, or GW_PAGER is empty
   *   or `cat`.
   */
  paged(): PagedOutput | undefined;
  /**
   * Shows the collected output in the pager, if there is any, and waits for its reader.
   * @throws Failure interrupted if the program was asked to stop meanwhile
   */
  endPaged(): Promise<void>;
  readonly clock: Clock;
  readonly files: Files;
  readonly keychain: Keychain;
  readonly prompts: Prompts;
  readonly shell: Shell;
  readonly jq: Jq;
  readonly processes: Processes;
  readonly user: User;
  /**
   * @param path a file that the user named, or a pipe, which is read to its end
   * @returns its bytes; undefined if there is none
   * @throws Failure usage if it cannot be read or is larger than `maxBytes`; Failure interrupted as soon as the program is
   *   interrupted
   */
  readNamed(path: string, maxBytes: number): Promise<Buffer | undefined>;
  /** Removes this text from everything printed from now on. */
  hide(secret: string): void;
  /** Shows the identifiers of a record unmasked, even if they look like card numbers. */
  pass(record: Json): void;
  /** Resolves once everything that is ready now has been handled. */
  endOfTurn(): Promise<void>;
  /** Version of gw, for the User-Agent. */
  readonly version: string;
  /** The output of `gw --version`: gw, the machine and its Node. */
  readonly versionText: string;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, with a Failure interrupted as its reason. */
  readonly interrupted: AbortSignal;
  /** Ends the program once everything written has reached its destination. */
  exit(code: number): Promise<never>;
}
