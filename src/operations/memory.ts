/** The ledger for whoever may need it: opened at the first question, and not made where there is none. */
import type { Host } from '../host/host.ts';
import type { Ledger } from '../journal/ledger.ts';
import { ledgerPath, seenPath } from '../session/paths.ts';

export class Memory {
  readonly #host: Host;
  #ledger: Promise<Ledger> | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** @returns undefined where nothing is kept. @throws Failure guard when it cannot be used */
  async open(): Promise<Ledger | undefined> {
    const { files } = this.#host;
    const isKept = [ledgerPath(files), seenPath(files)].some((path) => files.size(path) > 0);
    if (!this.#ledger && !isKept) return undefined;
    this.#ledger ??= import('../session/indexed-ledger.ts').then(({ openIndexedLedger }) =>
      openIndexedLedger(this.#host),
    );
    return this.#ledger;
  }

  async close(): Promise<void> {
    const ledger = await this.#ledger?.catch(() => undefined);
    await ledger?.close();
  }
}
