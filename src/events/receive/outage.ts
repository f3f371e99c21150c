/** The file of events takes no writes: said once, and once more when it works again. */
import { plural } from '../../base/plural.ts';
import { Failure } from '../../failure.ts';

/** @returns whether nothing can be kept just now, whatever it is: the file was moved, or may be two */
export function isFileAway(error: unknown): error is Failure {
  return error instanceof Failure && ['file-moved', 'file-linked'].includes(error.code);
}

export class Outage {
  readonly #notice: (text: string) => void;
  #isFailing = false;
  #refused = 0;

  constructor(notice: (text: string) => void) {
    this.#notice = notice;
  }

  failed({ message, next }: Failure): void {
    this.#refused++;
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#notice(`${message} gw answers deliveries with 503 until it can store them. ${next}`);
  }

  worked(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    const count = this.#refused;
    const many = plural(count, 'delivery was', 'deliveries were');
    this.#notice(`The ledger is working again; ${count} ${many} answered with 503.`);
    this.#refused = 0;
  }
}
