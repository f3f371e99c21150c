/**
 * The questions of one command. Before the first of them what does not depend on any answer is seen to, so
 * that nobody answers in vain; and what was answered is kept as the flags that would have said it.
 */
import type { Prompts } from '../../host/host.ts';

/** A flag that says what was answered; without a secret. */
export interface GivenAnswer {
  flag: string;
  value: string | boolean;
}

export class Questions implements Prompts {
  readonly #prompts: Prompts;
  #prepare: () => Promise<void> = async () => undefined;
  #prepared: Promise<void> | undefined;
  readonly answered: GivenAnswer[] = [];
  /** Answers that would have been arguments. */
  readonly args: string[] = [];

  constructor(prompts: Prompts) {
    this.#prompts = prompts;
  }

  /** Whether anything was asked. */
  get wereAsked(): boolean {
    return this.#prepared !== undefined;
  }

  /** @param prepare sees to what has to be right before the next question; done once, at once where one was asked */
  async preparedBy(prepare: () => Promise<void>): Promise<void> {
    this.#prepare = prepare;
    if (this.#prepared) await prepare();
  }

  /** Keeps an answer as the flag that would have said it. */
  answer(flag: string, value: string | boolean): void {
    this.answered.push({ flag, value });
  }

  readonly text: Prompts['text'] = async (...asked) => (await this.#begun()).text(...asked);
  readonly hidden: Prompts['hidden'] = async (...asked) => (await this.#begun()).hidden(...asked);
  readonly select: Prompts['select'] = async (...asked) => (await this.#begun()).select(...asked);
  readonly confirm: Prompts['confirm'] = async (...asked) =>
    (await this.#begun()).confirm(...asked);

  async #begun(): Promise<Prompts> {
    this.#prepared ??= this.#prepare();
    await this.#prepared;
    return this.#prompts;
  }
}
