import type { AgentTool } from '@plugboard/agent';
import { toolWords } from './chat-screen.js';

export type AskLine = (prompt: string) => Promise<string | undefined>;

const YES: ReadonlySet<string> = new Set(['y', 'yes']);
const ALWAYS: ReadonlySet<string> = new Set(['a', 'always']);

/** Asks before calls that may destroy something, one question at a time. "Always" holds for this tool in this conversation; every other word means no. */
export class Approvals {
  readonly #ask: AskLine;
  readonly #always = new Set<string>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(ask: AskLine) {
    this.#ask = ask;
  }

  readonly approve = (tool: AgentTool, args: Readonly<Record<string, unknown>>): Promise<boolean> => {
    const called = toolWords(tool.metadata.server_name, tool.metadata.display_name);
    const shown = toolWords(undefined, JSON.stringify(args));
    return this.decide(`tool ${tool.name}`, `Call ${called} with ${shown}? [y]es, [n]o, [a]lways: `);
  };

  /** "Always" holds for the key; nothing is remembered for an empty one. */
  readonly decide = (key: string, prompt: string): Promise<boolean> => {
    const answer = this.#queue.then(() => this.#decide(key, prompt));
    this.#queue = answer.catch(() => undefined);
    return answer;
  };

  async #decide(key: string, prompt: string): Promise<boolean> {
    if (this.#always.has(key)) return true;
    const word = ((await this.#ask(prompt)) ?? '').trim().toLowerCase();
    if (ALWAYS.has(word) && key !== '') this.#always.add(key);
    return ALWAYS.has(word) || YES.has(word);
  }
}
