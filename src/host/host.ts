/**
 * Everything outside the program, as interfaces: terminal, clock, files, keychain, other programs.
 *
 * Only this folder touches `process`, timers, files and the keychain. The rest of gw is handed a
 * `Host`, or the smallest part of it that it needs, which is what makes it testable.
 */

export interface Output {
  /** true when a person is looking. */
  readonly isTerminal: boolean;
  /** Width in character cells; 80 where it is not known. */
  readonly columns: number;
  /** true when colour may be used (terminal, NO_COLOR, FORCE_COLOR, TERM). */
  readonly color: boolean;
  /** Writes all of the text. Resolves when more may be written; a closed pipe ends the program quietly. */
  write(text: string): Promise<void>;
}

export interface Input {
  readonly isTerminal: boolean;
  /** Lines without their line ends. @throws Failure usage when a line is longer than `maxLineBytes`. */
  lines(maxLineBytes: number): AsyncIterable<string>;
  /** @throws Failure usage when there are more than `maxBytes`. */
  text(maxBytes: number): Promise<string>;
}

export interface Clock {
  now(): Date;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Files {
  /** gw's own configuration directory (XDG). */
  readonly configDirectory: string;
  /** gw's own state directory (XDG). */
  readonly stateDirectory: string;
  /**
   * @returns the text of a file the user named, or undefined when there is none
   * @throws Failure usage when it is a directory, unreadable, not UTF-8 or larger than `maxBytes`
   */
  read(path: string, maxBytes: number): string | undefined;
  /** Replaces a file in one step, readable by the user only (0600), with its directories (0700). */
  writePrivate(path: string, text: string): void;
}

export interface Keychain {
  /** All throw Failure auth when the keychain is absent, locked or does not answer in time. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** @returns whether there was something to delete */
  delete(account: string): Promise<boolean>;
}

export interface Prompts {
  /** Asks for a line of text. */
  text(
    question: string,
    options?: { initial?: string; check?: (value: string) => string | true },
  ): Promise<string>;
  /** Asks without showing what is typed. */
  hidden(question: string, options?: { check?: (value: string) => string | true }): Promise<string>;
  confirm(question: string, initial: boolean): Promise<boolean>;
}

export interface Shell {
  /**
   * Runs a command line of the user's own through the system shell; its stderr and stdin are the user's.
   * @returns its stdout
   * @throws Failure auth when it fails or takes longer than `timeoutMs`
   */
  run(commandLine: string, timeoutMs: number): Promise<string>;
}

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  readonly files: Files;
  readonly keychain: Keychain;
  readonly prompts: Prompts;
  readonly shell: Shell;
  /** Version of gw, for the User-Agent. */
  readonly version: string;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly interrupted: AbortSignal;
}
