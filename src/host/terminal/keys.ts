/**
 * Whether a terminal shows the keys that are typed. What is asked may be a secret, and somebody or a program
 * may type the next answer at once, so from one question to the next it shows none, unless something is
 * waited for in between: Ctrl-C is a key like any other where none is shown.
 */
export class Keys {
  readonly #setRawMode: (isRaw: boolean) => void;
  #isHiding = false;
  #soon: NodeJS.Immediate | undefined;

  /** @param stdin a terminal */
  constructor(stdin: Pick<NodeJS.ReadStream, 'setRawMode' | 'on'>) {
    this.#setRawMode = stdin.setRawMode.bind(stdin);
    // A terminal that is gone shows nothing, whatever it is told.
    stdin.on('error', () => undefined);
  }

  /** @param asking a question; when it is taken back, keys are shown at once: the program may end by a signal */
  async hiddenWhile<Answer>(asking: () => Promise<Answer>): Promise<Answer> {
    this.#hide();
    try {
      const answer = await asking();
      this.#soon = setImmediate(() => this.show());
      return answer;
    } catch (error) {
      this.show();
      throw error;
    }
  }

  show(): void {
    clearImmediate(this.#soon);
    if (this.#isHiding) this.#setRawMode(false);
    this.#isHiding = false;
  }

  #hide(): void {
    clearImmediate(this.#soon);
    if (!this.#isHiding) this.#setRawMode(true);
    this.#isHiding = true;
  }
}
