/** The ledger is away, or takes no writes: said once, and once more when it works again. */
import { plural } from '../../base/plural.ts';
import { Failure } from '../../failure.ts';

/** Of a statement that the server understood and refused: what it was given is at fault. */
const OF_THE_STATEMENT = 'ledger-failed';
/** Whatever works then shows that these are over. */
const OF_THE_CONNECTION = ['ledger-unreachable', 'ledger-lost', 'ledger-timeout', 'ledger-busy'];

/** @returns whether nothing can be kept just now, whatever it is */
export function isLedgerAway(error: unknown): error is Failure {
  if (!(error instanceof Failure) || error.code === OF_THE_STATEMENT) return false;
  return /^(ledger-|file-(moved|linked)$)/.test(error.code);
}

/** What is done with a ledger. */
type Use = 'keep' | 'pass-on';

export class Outage {
  readonly #notice: (text: string) => void;
  /** What fails, with the code of its failure. */
  readonly #failing = new Map<Use, string>();
  #refused = 0;

  constructor(notice: (text: string) => void) {
    this.#notice = notice;
  }

  failed(use: Use, { code, message, next }: Failure): void {
    if (use === 'keep') this.#refused++;
    const isNew = this.#failing.size === 0;
    this.#failing.set(use, code);
    const advice = code.startsWith('file-') ? ` ${next}` : '';
    if (isNew)
      this.#notice(`${message} gw answers deliveries with 503 until it can store them.${advice}`);
  }

  worked(use: Use): void {
    if (this.#failing.size === 0) return;
    this.#failing.delete(use);
    for (const [other, code] of this.#failing)
      if (OF_THE_CONNECTION.includes(code)) this.#failing.delete(other);
    if (this.#failing.size > 0) return;
    const count = this.#refused;
    const many = plural(count, 'delivery was', 'deliveries were');
    this.#notice(
      `The ledger is working again${count > 0 ? `; ${count} ${many} answered with 503` : ''}.`,
    );
    this.#refused = 0;
  }
}
