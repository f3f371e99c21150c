/**
 * The questions of one command. Checks that depend on no answer run before the first question, so that nobody answers
 * in vain. The answers are kept as the flags that would have given them.
 */
import type { Prompts } from '../host/host.ts';

/** A flag that gives the same answer. It is never a secret. */
export interface GivenAnswer {
  flag: string;
  value: string | boolean;
  /** Whether gw asks the same again where the flag is left out, as for a card that it needs. */
  isAskedAgain?: boolean;
}

export class Questions implements Prompts {
  readonly #prompts: Prompts;
  #prepare: () => Promise<void> = async () => undefined;
  #prepared: Promise<void> | undefined;
  #areDone = false;
  readonly answered: GivenAnswer[] = [];
  /** Answers that would have been arguments. */
  readonly args: string[] = [];
  /** The ids of the records that a person meant by names, by these names. */
  readonly meant = new Map<string, string>();

  constructor(prompts: Prompts) {
    this.#prompts = prompts;
  }

  /** Whether anything was asked. */
  get wereAsked(): boolean {
    return this.#prepared !== undefined;
  }

  /** Whether the last question was answered. */
  get areDone(): boolean {
    return this.#areDone;
  }

  /** Called after the last question. */
  end(): void {
    this.#areDone = true;
  }

  /**
   * @param prepare the checks to run once before the next question; if a question was already asked, they run at once
   */
  async preparedBy(prepare: () => Promise<void>): Promise<void> {
    this.#prepare = prepare;
    if (this.#prepared) await prepare();
  }

  /** Keeps an answer as the flag that would have given it, in place of an earlier answer to the same question. */
  answer(flag: string, value: string | boolean, how?: Pick<GivenAnswer, 'isAskedAgain'>): void {
    const earlier = this.answered.findIndex((one) => one.flag === flag);
    if (earlier !== -1) this.answered.splice(earlier, 1);
    this.answered.push({ flag, value, ...how });
  }

  /** Keeps the id of the record that is meant by a name. A person is asked about it, in the summary if not before. */
  async mean(name: string, id: string): Promise<void> {
    await this.#begun();
    this.meant.set(name, id);
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
