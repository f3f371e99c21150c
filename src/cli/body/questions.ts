/**
 * The questions of one command. Before the first of them what does not depend on any answer is seen to, so
 * that nobody answers in vain; and what was answered is kept as the flags that would have said it.
 */
import type { Prompts } from '../../host/host.ts';

/** A flag that says what was answered; without a secret. */
export interface Answered {
  flag: string;
  value: string | boolean;
}

export class Questions implements Prompts {
  readonly #prompts: Prompts;
  #prepare: () => Promise<void> = async () => undefined;
  #prepared: Promise<void> | undefined;
  readonly answered: Answered[] = [];
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

  async text(...question: Parameters<Prompts['text']>): Promise<string> {
    await this.#begin();
    return this.#prompts.text(...question);
  }

  async hidden(...question: Parameters<Prompts['hidden']>): Promise<string> {
    await this.#begin();
    return this.#prompts.hidden(...question);
  }

  async choose(...question: Parameters<Prompts['choose']>): Promise<string> {
    await this.#begin();
    return this.#prompts.choose(...question);
  }

  async confirm(...question: Parameters<Prompts['confirm']>): Promise<boolean> {
    await this.#begin();
    return this.#prompts.confirm(...question);
  }

  #begin(): Promise<void> {
    this.#prepared ??= this.#prepare();
    return this.#prepared;
  }
}
