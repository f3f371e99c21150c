/** Reports requests that a server of gw refused: each one up to a limit, then only their number. */
import { redactText } from '../redaction/redact.ts';
import { cut, neutralise } from '../redaction/safe.ts';

const MAX_NOTICES = 100;
const MAX_REASON = 200;

export class Refusals {
  readonly #notice: (text: string) => void;
  readonly #consequence: string;
  #count = 0;

  /** @param consequence follows "Refused", for example ` and not kept` */
  constructor(notice: (text: string) => void, consequence = '') {
    this.#notice = notice;
    this.#consequence = consequence;
  }

  /** @param reason words that follow "a request"; may quote the request unescaped */
  add(status: number, reason: string): void {
    this.#count++;
    if (this.#count > MAX_NOTICES) return;
    const why = neutralise(cut(redactText(reason), MAX_REASON));
    this.#notice(`Refused with ${status}${this.#consequence}: a request ${why}.`);
    if (this.#count === MAX_NOTICES)
      this.#notice('Further refusals are counted and reported at the end.');
  }

  end(): void {
    if (this.#count <= MAX_NOTICES) return;
    this.#notice(`Refused${this.#consequence}: ${this.#count} requests in all.`);
  }
}
