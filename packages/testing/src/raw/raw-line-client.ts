import type { Readable, Writable } from 'node:stream';
import { isResponse, type JsonObject, type JsonRpcMessage, type JsonRpcResponse } from '../json-rpc/message.js';
import { readLines } from '../transport/line-reader.js';

interface LineEnds {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/** Speaks to a stdio server line by line: `link` is a StdioLink or a child process. */
export class RawLineClient {
  readonly #ends: LineEnds;
  readonly #lines: AsyncGenerator<string>;
  #lastId = 0;

  constructor(ends: LineEnds) {
    this.#ends = ends;
    this.#lines = readLines(ends.stdout);
    ends.stdin.on('error', () => undefined);
  }

  /** Writes a request and gives its id. */
  send(method: string, params: JsonObject = {}): number {
    this.#lastId += 1;
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id: this.#lastId, method, params })}\n`);
    return this.#lastId;
  }

  notify(method: string, params: JsonObject = {}): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  write(bytes: string | Uint8Array): void {
    this.#ends.stdin.write(bytes);
  }

  /** The next line as it came; undefined at the end. */
  async line(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    return done === true ? undefined : value;
  }

  /** The next line that is JSON. */
  async message(): Promise<JsonRpcMessage | undefined> {
    for (let line = await this.line(); line !== undefined; line = await this.line()) {
      try {
        return JSON.parse(line) as JsonRpcMessage;
      } catch {
        continue;
      }
    }
    return undefined;
  }

  async request(method: string, params: JsonObject = {}): Promise<JsonRpcResponse | undefined> {
    const id = this.send(method, params);
    for (let message = await this.message(); message !== undefined; message = await this.message()) {
      if (isResponse(message) && message.id === id) return message;
    }
    return undefined;
  }

  async initialize(
    protocolVersion = '2025-11-25',
    capabilities: JsonObject = {},
  ): Promise<JsonRpcResponse | undefined> {
    const clientInfo = { name: 'raw-client', version: '1.0.0' };
    const answer = await this.request('initialize', { protocolVersion, capabilities, clientInfo });
    this.notify('notifications/initialized');
    return answer;
  }
}

export const rawLineClient = (ends: LineEnds): RawLineClient => new RawLineClient(ends);
