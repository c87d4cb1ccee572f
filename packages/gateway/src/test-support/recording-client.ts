import type { ToolResult } from '@plugboard/contract';
import type { UpstreamClient } from '../upstream/upstream-client.js';

export interface Recorded {
  readonly method: string;
  readonly params: unknown;
}

/** A connection that answers from a function and remembers what it was asked. */
export class RecordingClient implements UpstreamClient {
  readonly protocol = undefined;
  readonly capabilities = { tools: {}, resources: { subscribe: true }, logging: {} };
  readonly instructions = 'Be kind.';
  readonly asked: Recorded[] = [];
  disposed = 0;
  readonly #listeners = new Set<(notification: { readonly method: string }) => void>();
  readonly #answer: (asked: Recorded) => unknown;

  constructor(answer: (asked: Recorded) => unknown = () => ({})) {
    this.#answer = answer;
  }

  async request(method: string, params?: unknown): Promise<unknown> {
    const asked = { method, params };
    this.asked.push(asked);
    return this.#answer(asked);
  }

  async listTools(): Promise<[]> {
    await this.request('tools/list');
    return [];
  }

  async callTool(name: string, args: unknown): Promise<ToolResult> {
    return (await this.request('tools/call', { name, arguments: args })) as ToolResult;
  }

  onNotification(listener: (notification: { readonly method: string }) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(method: string): void {
    for (const listener of this.#listeners) listener({ method });
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  async dispose(): Promise<void> {
    this.disposed += 1;
  }
}
