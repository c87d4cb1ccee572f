import type { AgentEvent } from '@plugboard/agent';
import { printableBlock, printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';

export interface ChatScreenOptions {
  /** The answer itself. */
  readonly write: (text: string) => void;
  /** What happens meanwhile. */
  readonly remark: (text: string) => void;
  readonly style: Style;
  /** Is the answer shown on a terminal? */
  readonly isTTY: boolean;
}

const MOST_CHARACTERS = 200;

const short = (text: string): string => {
  const line = printableLine(text.replaceAll(/\s+/gu, ' ').trim());
  return line.length <= MOST_CHARACTERS ? line : `${line.slice(0, MOST_CHARACTERS)}…`;
};

/** How a tool is called at a terminal. */
export const toolWords = (server: string | undefined, name: string): string =>
  printableLine(server === undefined ? name : `${server}/${name}`);

/** Shows a run while it happens: the text streams, and each call of a tool is a card of two lines. */
export class ChatScreen {
  readonly #options: ChatScreenOptions;
  #atLineStart = true;
  #thinks = false;
  #held: (() => void)[] | undefined;

  constructor(options: ChatScreenOptions) {
    this.#options = options;
  }

  /** Shows nothing while a question is open at the terminal, and everything that happened meanwhile after it. */
  async during<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.end();
    this.#held = [];
    try {
      return await ask();
    } finally {
      const held = this.#held;
      this.#held = undefined;
      for (const show of held) show();
    }
  }

  show(event: AgentEvent): void {
    if (this.#held === undefined) this.#show(event);
    else this.#held.push(() => this.#show(event));
  }

  #show(event: AgentEvent): void {
    const { style } = this.#options;
    switch (event.type) {
      case 'thinking':
        if (!this.#thinks) this.#remark(style.dim('… thinking'));
        this.#thinks = true;
        return;
      case 'text':
        this.#thinks = false;
        this.#text(event.text);
        return;
      case 'tool-call':
        this.#remark(`${style.bold(`→ ${toolWords(event.server, event.name)}`)} ${style.dim(short(event.arguments))}`);
        return;
      case 'tool-result':
        this.#remark(
          [
            event.isError ? style.red(`✗ ${printableLine(event.name)}`) : style.green(`✓ ${printableLine(event.name)}`),
            ...(event.text === '' ? [] : [style.dim(short(event.text))]),
            ...(event.media ?? []).map(({ mimeType }) => style.dim(`[${printableLine(mimeType)}]`)),
          ].join(' '),
        );
        return;
      case 'turn':
        this.#thinks = false;
        return;
      // The question itself is at the prompt.
      case 'approval':
        return;
      case 'done':
        this.end();
    }
  }

  /** The cursor is at the beginning of a line from here on. */
  end(): void {
    if (!this.#atLineStart) this.#options.write('\n');
    this.#atLineStart = true;
  }

  #text(text: string): void {
    const shown = this.#options.isTTY ? printableBlock(text) : text;
    if (shown === '') return;
    this.#options.write(shown);
    this.#atLineStart = shown.endsWith('\n');
  }

  #remark(text: string): void {
    this.end();
    this.#options.remark(text);
  }
}
