import { setMaxListeners } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '../behaviour/answer.js';
import type { Exchange } from '../behaviour/exchange.js';
import { takeNotice } from '../behaviour/notice.js';
import type { World } from '../behaviour/world.js';
import type { Era } from '../definition/era.js';
import type { Fault } from '../fault/fault.js';
import { failed, isNotification, isResponse, type JsonRpcMessage, type JsonRpcRequest } from '../json-rpc/message.js';
import { asMessage, parseJson } from '../json-rpc/parse-message.js';
import { RpcError } from '../json-rpc/rpc-error.js';
import type { Session } from '../state/session.js';
import { eraOf, faultFor, recordArrival } from './arrival.js';
import { disturb } from './disturb.js';
import { answerBatch, batchOf } from './http-batch.js';
import { readLines } from './line-reader.js';
import { scriptedOutcome } from './scripted-outcome.js';
import { LineWriter, type LineStyle } from './line-writer.js';

export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** One client on a pair of byte streams: a message per line. */
export class LineConnection {
  readonly #world: World;
  readonly #streams: LineStreams;
  readonly #writer: LineWriter;
  readonly #session: Session;
  readonly #gone = new AbortController();
  readonly #connection: { readonly number: number; readonly closed: () => void };

  constructor(world: World, streams: LineStreams, style: LineStyle = {}) {
    this.#world = world;
    this.#streams = streams;
    this.#writer = new LineWriter(streams.output, style);
    this.#session = world.sessions.open();
    this.#session.attach((message) => this.#writer.message(message));
    this.#connection = world.counters.countConnection();
    // Every request in flight listens to it: however many there are, that is no leak.
    setMaxListeners(0, this.#gone.signal);
  }

  /** Serves until the input ends or the connection is cut. */
  async serve(): Promise<void> {
    try {
      this.#writer.banner();
      for await (const line of readLines(this.#streams.input)) {
        if (line.trim() !== '') void this.#take(line);
      }
    } catch {
      // A broken stream ends the connection like a closed one.
    } finally {
      this.#gone.abort();
      this.#world.sessions.drop(this.#session.id);
      await this.#writer.flushed();
      this.#connection.closed();
    }
  }

  /** The end without a word: what a killed process looks like from outside. */
  cut(): void {
    this.#gone.abort();
    this.#streams.input.destroy();
    this.#streams.output.destroy();
  }

  async #take(line: string): Promise<void> {
    try {
      const value = parseJson(line);
      if (Array.isArray(value)) return await this.#takeBatch(value);
      const message = asMessage(value);
      const fault = faultFor(this.#world, message);
      if (fault.crash === 'before-read') return this.#world.host.crash();
      const era = eraOf(this.#world, message, undefined);
      const { id: sessionId } = this.#session;
      recordArrival(
        this.#world,
        { transport: 'stdio', message, headers: {}, sessionId, connection: this.#connection.number },
        era,
      );
      if (fault.crash === 'after-read') return this.#world.host.crash();
      if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { signal: this.#gone.signal });
      return await this.#handle(message, era, fault);
    } catch (error) {
      if (error instanceof RpcError) this.#writer.message(failed(null, error.toFailure()));
    }
  }

  async #takeBatch(values: readonly unknown[]): Promise<void> {
    const messages = batchOf(values, this.#session);
    const exchange = this.#exchange('legacy', {});
    const responses = await answerBatch(this.#world, exchange, messages);
    if (responses.length > 0) this.#writer.raw(`${JSON.stringify(responses)}\n`);
  }

  #exchange(era: Era, fault: Fault): Exchange {
    return {
      transport: 'stdio',
      era,
      session: this.#session,
      headers: {},
      signal: this.#gone.signal,
      send: (message) => this.#writer.message(message, fault),
    };
  }

  async #handle(message: JsonRpcMessage, era: Era, fault: Fault): Promise<void> {
    if (fault.afterHandler !== true && this.#replace(fault)) return;
    if (isResponse(message)) return this.#session.settle(message);
    if (isNotification(message)) {
      takeNotice(message, this.#session);
      this.#replace(fault);
      return;
    }
    await this.#answer(message, era, fault);
  }

  async #answer(request: JsonRpcRequest, era: Era, fault: Fault): Promise<void> {
    const exchange = this.#exchange(era, fault);
    const scripted = scriptedOutcome(request, fault);
    const worked =
      scripted !== undefined && fault.afterHandler !== true ? scripted : await answer(this.#world, exchange, request);
    if (fault.crash === 'while-working') return this.#world.host.crash();
    const outcome = scripted ?? worked;
    if (outcome === undefined || this.#replace(fault)) return;
    this.#writer.message(disturb(outcome.response, fault), fault);
    if (fault.duplicate === true) this.#writer.message(outcome.response, fault);
    if (fault.crash === 'after-result') {
      await this.#writer.flushed();
      this.#world.host.crash();
    }
  }

  /** Plays a fault that stands in place of the answer; true when it did. */
  #replace(fault: Fault): boolean {
    if (fault.cut === true) this.cut();
    else if (fault.hang === 'mid-event') this.#writer.raw('{"jsonrpc":"2.0","id":1,"res');
    else if (fault.body !== undefined) this.#writer.raw(`${fault.body}\n`, fault);
    else return fault.hang !== undefined;
    return true;
  }
}
