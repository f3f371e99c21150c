/**
 * The real host. Making it is cheap: streams and directories are looked at when they are used, and
 * what few commands need (the keychain, prompts, other programs, replays) is loaded then.
 */
import { EXIT_DEFECT } from '../failure.ts';
import { createClock } from './clock.ts';
import { exit, letGoOfClosedTerminals } from './ending.ts';
import { createFiles, readNamed } from './files/files.ts';
import { createInput } from './files/input.ts';
import { guardStream } from './guard-stream.ts';
import type { Host, Output } from './host.ts';
import { lazyJq } from './lazy-jq.ts';
import { lazyKeychain } from './lazy-keychain.ts';
import { createProcesses } from './processes.ts';
import { createPrompts } from './prompts.ts';
import { listenForInterrupts } from './signals.ts';
import { createOutput } from './terminal/output.ts';
import { createPaging, withWrite } from './terminal/paging.ts';
import { endOfTurn } from './turn.ts';
import { currentUser } from './user.ts';
import { runtime, version, versionText } from './version.ts';

type Scrub = (text: string) => string;

interface Guard extends Record<'stdout' | 'stderr', Scrub>, Pick<Host, 'hide'> {
  /** How a message of gw's own looks on stderr. */
  lay(text: string, output: Output): string;
}

/**
 * Builds the host of this process, once: it listens to the signals and the standard streams.
 * @param scrub of whatever is printed there; `hide` learns a text that neither of them may pass on
 * @param asksPlain whether the command line has `--plain`
 * @param root folder of the program
 */
export function createHost(scrub?: Guard, asksPlain = false, root = ''): Host {
  const { env } = process;
  // Before oclif is loaded: its own debugging shows the command line, a CVV on it included.
  delete env.DEBUG;
  if (scrub) {
    guardStream(process.stdout, scrub.stdout);
    guardStream(process.stderr, scrub.stderr);
  }
  // An event loop that runs empty before its time is never a success.
  process.exitCode = EXIT_DEFECT;
  process.once('exit', letGoOfClosedTerminals);
  // Both at once, since other code (oclif) writes to them too and would die of a closed pipe.
  const stdout = createOutput(process.stdout, env, asksPlain);
  const ownStderr = droppingErrors(createOutput(process.stderr, env, asksPlain));
  const paging = createPaging({
    stdout,
    stderr: withWrite(ownStderr, (text) => ownStderr.write(scrub?.lay(text, ownStderr) ?? text)),
    env,
    rows: () => process.stdout.rows,
    scrub: scrub?.stdout ?? ((text) => text),
  });
  const { stderr, paged, endPaged } = paging;
  const interrupted = listenForInterrupts(paging.isOpen);
  return {
    env,
    get stdin() {
      return createInput(process.stdin, interrupted);
    },
    stdout,
    stderr,
    paged,
    endPaged,
    clock: createClock(),
    files: createFiles(env),
    keychain: lazyKeychain({ env, interrupted }),
    prompts: createPrompts(stderr, interrupted),
    shell: {
      async run(commandLine, timeoutMs) {
        const { createShell } = await import('./programs/shell.ts');
        return createShell(interrupted).run(commandLine, timeoutMs);
      },
    },
    jq: lazyJq(root),
    get processes() {
      return createProcesses();
    },
    get user() {
      return currentUser();
    },
    readNamed: (path, maxBytes) => readNamed(path, maxBytes, interrupted),
    async replay(source, maxLineBytes) {
      const { openReplay } = await import('./files/replay.ts');
      return openReplay(source, maxLineBytes, { stdin: process.stdin, interrupted });
    },
    hide: (secret) => scrub?.hide(secret),
    endOfTurn,
    ...{ version, versionText, runtime, interrupted, exit },
  };
}

/** What is said on stderr is commentary: that it cannot be written changes nothing of what happened. */
function droppingErrors(output: Output): Output {
  return withWrite(output, (text) => output.write(text).catch(() => undefined));
}
