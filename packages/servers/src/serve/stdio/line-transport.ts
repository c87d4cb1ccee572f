import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, type Transport, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { isJsonObject, LineSplitter } from '@plugboard/base';
import { withKnownMembers } from '../message/known-members.js';
import { idOf, rpcFailure, type RpcFailure, type RpcId } from '../message/rpc-answer.js';
import { screenRequest } from '../message/screen-request.js';

const BATCH_REVISION = '2025-03-26';

export interface LineTransportOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly maxMessageBytes: number;
}

/** The answers to one batch, which go out together once the last is there. */
class BatchAnswers {
  readonly #open: Set<RpcId>;
  readonly #answers: object[];

  constructor(ids: readonly RpcId[], answers: readonly object[]) {
    this.#open = new Set(ids);
    this.#answers = [...answers];
  }

  get complete(): boolean {
    return this.#open.size === 0;
  }

  get answers(): readonly object[] {
    return this.#answers;
  }

  /** Whether the answer belongs here. */
  take(id: RpcId, answer: object): boolean {
    if (!this.#open.delete(id)) return false;
    this.#answers.push(answer);
    return true;
  }
}

const MODERN = ['2026-07-28'];
const INVALID_REQUEST = -32_600;
const UNSUPPORTED_VERSION = -32_022;

const isMessage = (value: Readonly<Record<string, unknown>>): boolean => {
  if (value['jsonrpc'] !== '2.0') return false;
  const { id, method, params } = value;
  const goodId = id === undefined || typeof id === 'string' || Number.isInteger(id);
  if (typeof method === 'string') return goodId && (params === undefined || isJsonObject(params));
  return method === undefined && id !== undefined && ('result' in value || 'error' in value);
};

const claimedVersion = ({ params }: Readonly<Record<string, unknown>>): unknown => {
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  return isJsonObject(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined;
};

/** Why a line that is JSON is no message to act on; nothing when it is one. */
const screenLine = (value: unknown): RpcFailure | undefined => {
  if (!isJsonObject(value) || !isMessage(value)) {
    return rpcFailure(idOf(value), INVALID_REQUEST, 'Invalid request: this is not a JSON-RPC message.');
  }
  const requested = claimedVersion(value);
  if (value['id'] !== undefined && typeof requested === 'string' && !MODERN.includes(requested)) {
    return rpcFailure(idOf(value), UNSUPPORTED_VERSION, 'Unsupported protocol version', {
      supported: MODERN,
      requested,
    });
  }
  return screenRequest(value);
};

/**
 * One JSON message a line, on stdin and stdout. Beside the SDK's own transport it answers what is no JSON and no request,
 * knows the batches of the one revision that has them, and tells when it ended.
 */
export class LineTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly ended: Promise<void>;

  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #splitter: LineSplitter;
  readonly #batches = new Set<BatchAnswers>();
  #initializeId: unknown;
  #revision: string | undefined;
  #closed = false;
  #end: () => void = () => undefined;

  constructor({ stdin, stdout, maxMessageBytes }: LineTransportOptions) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#splitter = new LineSplitter({
      maxLineBytes: maxMessageBytes,
      onLine: (line) => {
        if (line.trim() !== '') this.#receive(line);
      },
      onOversize: () => void this.#write(rpcFailure(null, -32_600, 'The message is too long.')),
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(): Promise<void> {
    this.#stdin.on('data', this.#onData);
    this.#stdin.on('end', this.#onEnd);
    this.#stdin.on('close', this.#onEnd);
    this.#stdin.on('error', this.#onEnd);
    this.#stdout.on('error', this.#onEnd);
    if (this.#stdin.readableEnded || this.#stdin.destroyed) this.#onEnd();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stdin.off('data', this.#onData);
    this.#stdin.off('end', this.#onEnd);
    this.#stdin.off('close', this.#onEnd);
    // The listeners for errors stay: a pipe that breaks after the end must not break the process.
    this.#stdin.pause();
    this.onclose?.();
    this.#end();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error('The connection is closed.');
    if ('method' in message) return this.#write(message);
    const id = idOf(message);
    if (this.#initializeId !== undefined && id === this.#initializeId && 'result' in message) {
      const version = message.result['protocolVersion'];
      this.#revision = typeof version === 'string' ? version : undefined;
    }
    for (const batch of this.#batches) if (batch.take(id, message)) return this.#flush(batch);
    return this.#write(message);
  }

  readonly #onData = (chunk: Buffer): void => this.#splitter.push(chunk);

  readonly #onEnd = (): void => void this.close();

  #receive(line: string): void {
    let value: unknown;
    try {
      value = withKnownMembers(JSON.parse(line));
    } catch {
      void this.#write(rpcFailure(null, -32_700, 'Parse error: the line is not JSON.'));
      return;
    }
    if (Array.isArray(value)) this.#receiveBatch(value);
    else this.#receiveOne(value);
  }

  #receiveOne(value: unknown): void {
    const failure = screenLine(value);
    if (failure === undefined) this.#deliver(value);
    else void this.#write(failure);
  }

  #receiveBatch(values: readonly unknown[]): void {
    if (this.#revision !== BATCH_REVISION || values.length === 0) {
      void this.#write(rpcFailure(null, -32_600, 'Batches are not part of this revision of the protocol.'));
      return;
    }
    const failures = values.map((value) => screenLine(value));
    const passed = values.filter((_, index) => failures[index] === undefined);
    const ids = passed.filter((value) => isJsonObject(value) && 'method' in value && 'id' in value).map(idOf);
    const batch = new BatchAnswers(
      ids,
      failures.filter((failure) => failure !== undefined),
    );
    this.#batches.add(batch);
    for (const value of passed) this.#deliver(value);
    void this.#flush(batch);
  }

  #deliver(value: unknown): void {
    if (isJsonObject(value) && value['method'] === 'initialize') this.#initializeId = value['id'];
    // initialize cannot be cancelled: it is always answered.
    if (this.#initializeId !== undefined && cancels(value, this.#initializeId)) return;
    // Screened above: it has the form of a message.
    this.onmessage?.(value as JSONRPCMessage);
  }

  async #flush(batch: BatchAnswers): Promise<void> {
    if (!batch.complete || !this.#batches.delete(batch)) return;
    if (batch.answers.length > 0) await this.#write(batch.answers);
  }

  /** Resolves when the pipe took it: a client that reads slowly slows us down, not our memory up. */
  async #write(message: JSONRPCMessage | RpcFailure | readonly object[]): Promise<void> {
    if (this.#stdout.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#stdout.off('drain', done);
        this.#stdout.off('close', done);
        this.#stdout.off('error', done);
        resolve();
      };
      this.#stdout.on('drain', done);
      this.#stdout.on('close', done);
      this.#stdout.on('error', done);
    });
  }
}

const cancels = (value: unknown, id: unknown): boolean =>
  isJsonObject(value) &&
  value['method'] === 'notifications/cancelled' &&
  isJsonObject(value['params']) &&
  value['params']['requestId'] === id;
