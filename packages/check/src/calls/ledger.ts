import { at, isObject, tryJson } from '../connection/json.js';

const KINDS: Readonly<Record<string, string>> = { 'tools/call': 'tool', 'prompts/get': 'prompt' };

const messagesIn = (text: string): readonly unknown[] => {
  const start = text.search(/[[{]/u);
  return start === -1 ? [] : [tryJson(text.slice(start))].flat();
};

/** Counts what a run calls, whichever way it was sent. */
export class CallLedger {
  readonly #counts = new Map<string, number>();

  /** Looks at something that was sent: a line, or a request with its headers. */
  sent(text: string): void {
    if (!text.includes('tools/call') && !text.includes('prompts/get')) return;
    const body = text.includes(' HTTP/1.1\n') ? text.slice(text.indexOf('\n\n') + 2) : text;
    for (const message of messagesIn(body)) this.#count(message);
  }

  count(kind: string, name: string): number {
    return this.#counts.get(`${kind} ${name}`) ?? 0;
  }

  #count(message: unknown): void {
    const kind = isObject(message) ? KINDS[String(message['method'])] : undefined;
    const name = at(message, 'params', 'name');
    if (kind === undefined || typeof name !== 'string') return;
    const key = `${kind} ${name}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}
