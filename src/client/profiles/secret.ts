import { inspect } from 'node:util';

const SHOWN = '***';

/** A text that shows itself only where it is asked to: not in a message, in JSON or in a debugger. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** @returns the text; for the one place that sends it, or stores it */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
