/**
 * Everything outside the program, as interfaces: terminal, clock, files, keychain, other programs.
 *
 * Only `host` touches `process`, timers, files and the keychain. The rest of gw is handed a
 * `Host`, or the smallest part of it that it needs, which is what makes it testable.
 */
import type { Json } from '../base/json.ts';

export interface Output {
  /** true when a person is looking. */
  readonly isTerminal: boolean;
  /** Width in character cells; 80 where it is not known. */
  readonly columns: number;
  /** true when colour may be used (terminal, NO_COLOR, FORCE_COLOR, CLICOLOR, TERM). */
  readonly color: boolean;
  /** true when block characters are shown as such (the locale's encoding, TERM). */
  readonly blocks: boolean;
  /**
   * true when everything is to be lines of words, once written and left alone, for a screen reader (`--plain`,
   * GW_PLAIN, TERM=dumb): no bars, boxes, spinners or signs that stand for a word, and nothing drawn again.
   */
  readonly isPlain: boolean;
  /**
   * Writes all of the text, or a part of it before it fails. Resolves when it has been taken, and
   * with it what others wrote to the same place before. On stderr what cannot be written is dropped.
   * @throws Failure unread when nobody reads it any more, incomplete when it cannot be written for
   *   another reason (the disk is full); from then on every time, without trying
   */
  write(text: string): Promise<void>;
}

/** An output whose text is shown when it ends: in a pager where it is longer than a screen, else as it is. */
export interface PagedOutput extends Output {
  /** Resolves when the reader has left the pager, where there was one. */
  end(): Promise<void>;
}

export interface Input {
  readonly isTerminal: boolean;
  /**
   * Lines without their line ends (LF or CR LF) and without a byte order mark.
   * @throws Failure usage when a line is longer than `maxLineBytes` or not UTF-8, or nothing can be
   *   read; Failure interrupted as soon as the program is
   */
  lines(maxLineBytes: number): AsyncIterable<string>;
  /** Everything, under the same conditions, with a limit of `maxBytes` for the whole. */
  text(maxBytes: number): Promise<string>;
}

export interface Clock {
  now(): Date;
  /** Milliseconds since this machine started, sleep included. Setting the machine's time changes nothing of it. */
  uptimeMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Files {
  /** gw's own configuration directory (XDG). @throws Failure usage when there is no home directory */
  readonly configDirectory: string;
  /** gw's own state directory (XDG). @throws Failure usage when there is no home directory */
  readonly stateDirectory: string;
  /**
   * @returns the text of a file the user named, or undefined when there is none
   * @throws Failure usage when it is no regular file, unreadable, not UTF-8 or larger than `maxBytes`
   */
  read(path: string, maxBytes: number): string | undefined;
  /**
   * Replaces a file in one step, readable by the user only (0600), with its directories (0700).
   * @throws Failure usage when it cannot be written
   */
  writePrivate(path: string, text: string): void;
  /**
   * Writes a file that only the user can read (0600), where there is none.
   * @throws Failure usage when there is one, or it cannot be written
   */
  writeNew(path: string, text: string): void;
  /**
   * Appends to a file that `writePrivate` would make. What is appended while another process takes
   * the file is in what it takes, or in the file afterwards, or in both.
   * @returns the size of the file afterwards, in bytes
   * @throws Failure usage when it cannot be written
   */
  append(path: string, text: string): number;
  /**
   * Takes a file away; by one process at a time.
   * @returns its text, or undefined when there is none. @throws Failure usage when it cannot be taken
   */
  take(path: string): string | undefined;
  /** @returns the names of what is in a directory; none where there is no directory, or it cannot be read */
  list(directory: string): readonly string[];
  /** Removes a file, by whichever process is first. @throws Failure usage when it cannot be removed */
  remove(path: string): void;
  /** @returns the size of a file in bytes, 0 when there is none */
  size(path: string): number;
  /** @returns whether two paths lead to the same file, there or not, links followed */
  isSame(one: string, other: string): boolean;
  /**
   * Closes gw's own folders to others.
   * @returns the folders that others could enter until now, and those that others still can change
   */
  keepPrivate(): { readonly tightened: readonly string[]; readonly exposed: readonly string[] };
  /** Changes nothing. @returns gw's own folders that others may enter, and those that somebody else owns */
  findExposed(): { readonly open: readonly string[]; readonly foreign: readonly string[] };
}

export interface Keychain {
  /** What the keychain of this system is called. */
  readonly name: string;
  /**
   * All throw Failure auth when the keychain is absent, locked or does not answer in time.
   * @returns the secret, or undefined when the keychain holds none for the account; on Linux also where it is locked
   */
  get(account: string): Promise<string | undefined>;
  /** Does the same as `get` within five seconds: it waits for nobody who could unlock the keychain. */
  peek(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** @returns whether there was something to delete */
  delete(account: string): Promise<boolean>;
}

/** @returns true, or what is wrong with an answer, in a few words */
export type Check = (value: string) => string | true;

/** One of several answers. */
export interface Choice {
  value: string;
  /** As it is listed. */
  name: string;
  /** What it is, listed beside the name. */
  hint?: string;
}

/** Likely answers to a question. Any other text that its check takes is an answer, too. */
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
  /** @returns what an answer was read as, which stands in its place once it is taken */
  shown?: (typed: string) => string;
  /** Listed above the question. */
  candidates?: Candidates;
}

/**
 * Questions go to stderr. What was typed before a question is drawn does not answer it. A refused answer is taken
 * away. Ctrl-C, Ctrl-D on an empty line, the end of the input and a signal throw Failure interrupted, `cancelled`,
 * which says that nothing was sent: what else holds is said by whoever asks.
 */
export interface Prompts {
  /** Asks for a line of text. */
  text(question: string, options?: TextOptions): Promise<string>;
  /** Asks without showing what is typed. */
  hidden(question: string, options?: HiddenOptions): Promise<string>;
  /** Asks for one of a list. @returns its value */
  select(question: string, choices: readonly Choice[]): Promise<string>;
  /** Asks for a yes or no; an Enter alone is a no. */
  confirm(question: string): Promise<boolean>;
}

export interface Shell {
  /**
   * Runs a command line of the user's own through the system shell. Its stderr is the user's; its
   * stdin is too where that is a terminal, and empty otherwise, so that it cannot eat piped input.
   * @returns its stdout
   * @throws Failure auth when it fails, prints more than 64 KiB or takes longer than `timeoutMs`
   */
  run(commandLine: string, timeoutMs: number): Promise<string>;
}

export interface Processes {
  /** Names this process for good: no other one, on this machine or another, ever has the name. */
  readonly self: string;
  /** @returns whether the process of that name has ended; undefined when that cannot be told from here */
  isGone(name: string): boolean | undefined;
}

/** How a run of jq ended. */
export interface JqEnd {
  /** Of jq; undefined where it broke off, for want of memory for example. */
  exitCode: number | undefined;
  /** What jq said on stderr, or why it broke off. */
  stderr: string;
  /** What jq printed: whole lines, each with its end. */
  stdout: string;
}

/** jq, on a thread of its own: an expression may take for ever. It sees no files, environment or network. */
export interface Jq {
  /**
   * Runs an expression; one run after the other.
   * @param input parts of JSON texts; without any the expression is compiled and not evaluated
   * @param interrupted ends jq when it is aborted while jq runs
   * @throws the reason of `interrupted`; jq has been ended then
   */
  run(expression: string, input: readonly string[], interrupted?: AbortSignal): Promise<JqEnd>;
}

/** Who runs gw, and where, as the system says it. */
export interface User {
  /** Name of the user of this machine; `unknown` where it has none. */
  name: string;
  /** Name of this machine. */
  machine: string;
}

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /**
   * @returns stdout for what a person may want to leaf through; undefined where nobody does: stdout is no terminal,
   *   everything is to be plain, or GW_PAGER is empty or `cat`. A reader who leaves early makes writes fail with a
   *   Failure `pager-left`
   */
  paged(): PagedOutput | undefined;
  /**
   * Ends what is paged, where something is; what was written to stderr meanwhile is shown after it.
   * @throws Failure interrupted when the program was asked to stop meanwhile
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
   * @param path of a file the user named, or of a pipe, which is read to its end
   * @returns its text, or undefined when there is none
   * @throws Failure usage when it cannot be read, is not UTF-8 or larger than `maxBytes`; Failure interrupted as soon
   *   as the program is
   */
  readNamed(path: string, maxBytes: number): Promise<string | undefined>;
  /** Nothing that is printed from now on has this text in it. */
  hide(secret: string): void;
  /** The identifiers of a record are shown as they are, also where they look like card numbers. */
  pass(record: Json): void;
  /** Resolves when everything that is ready to be handled now has been. */
  endOfTurn(): Promise<void>;
  /** Version of gw, for the User-Agent. */
  readonly version: string;
  /** What `gw --version` prints: gw, the machine and its Node. */
  readonly versionText: string;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, with a Failure interrupted as its reason. */
  readonly interrupted: AbortSignal;
  /** Ends the program once everything written has reached its destination. */
  exit(code: number): Promise<never>;
}
