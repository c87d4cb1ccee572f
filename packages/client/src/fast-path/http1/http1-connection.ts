import type { Socket } from 'node:net';
import { keptBytes, LARGE_READ_BYTES, ownBytes } from '../../read-buffer/kept-bytes.js';
import { READ_TURNS } from '../../read-buffer/read-turns.js';
import { ChunkDecoder } from './chunk-decoder.js';
import { HeadScanner, INCOMPLETE } from './head-scanner.js';
import { LF } from './http1-bytes.js';
import { asError, badHttp, connectionClosed } from './http1-error.js';
import type { Carrier, Http1Exchange } from './http1-exchange.js';
import type { RequestWriter } from './request-writer.js';
import { ResponseFields } from './response-fields.js';
import { takeReads } from './socket-reads.js';

/** Where a connection goes when it is free, and who has to know when it is no more. */
export interface ConnectionOwner {
  readonly writer: RequestWriter;
  free(connection: Http1Connection, keepAliveSeconds: number | undefined): void;
  /** After an answer was told to its handler: others may have waited for the connection. */
  served(): void;
  /** The server closed it when it had given one answer, and none since. */
  closedAfterAnswer(connection: Http1Connection): void;
  lost(connection: Http1Connection): void;
}

type Phase = 'idle' | 'starting' | 'head' | 'length' | 'chunked' | 'until-close';

const MAX_HEAD_BYTES = 16 * 1024;

/** One connection, and one request on it at a time. Whatever is not exactly as it should be ends it. */
export class Http1Connection implements Carrier {
  idleSince = 0;
  /** When it is too old to be used again. */
  idleUntil = 0;
  private readonly socket: Socket;
  private readonly owner: ConnectionOwner;
  private readonly scanner = new HeadScanner();
  private readonly chunks = new ChunkDecoder();
  private exchange: Http1Exchange | undefined;
  private phase: Phase = 'idle';
  /** The beginning of a head that came in pieces. */
  private partial: Buffer | undefined;
  private headBytes = 0;
  private answers = 0;
  private left = 0;
  private reusable = true;
  private paused = false;
  /** It has read enough for this turn of the event loop. */
  private resting = false;
  private holdsProcess = true;
  private closed = false;

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.socket = socket;
    this.owner = owner;
    takeReads(socket, (read) => this.take(read));
    // What came before, and whatever is no socket of the network.
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('end', () => this.ended());
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(this.closedError()));
  }

  get isUsable(): boolean {
    return !this.closed && this.socket.writable;
  }

  get bytesWritten(): number {
    return this.socket.bytesWritten;
  }

  whenClosed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.closed) resolve();
      else this.socket.once('close', () => resolve());
    });
  }

  /** An idle connection keeps no process alive. */
  letGo(): void {
    if (this.holdsProcess) this.socket.unref();
    this.holdsProcess = false;
  }

  start(exchange: Http1Exchange): void {
    this.exchange = exchange;
    exchange.carrier = this;
    this.phase = 'starting';
    try {
      exchange.handler.onRequestStart(exchange);
    } catch (thrown) {
      if (this.exchange === exchange) this.fail(asError(thrown));
      return;
    }
    if (this.exchange === exchange) this.write(exchange);
  }

  pause(): void {
    this.paused = true;
    this.socket.pause();
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    if (!this.resting) this.socket.resume();
  }

  abort(reason: Error): void {
    if (this.phase !== 'starting') {
      this.fail(reason);
      return;
    }
    const exchange = this.detach();
    this.owner.free(this, undefined);
    exchange?.fail(exchange, reason);
  }

  /** Ends the connection, and with it the request that is on it. */
  fail(error: Error): void {
    const exchange = this.detach();
    this.close();
    exchange?.fail(exchange, error);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.partial = undefined;
    this.socket.destroy();
    this.owner.lost(this);
  }

  private write(exchange: Http1Exchange): void {
    const { request } = exchange;
    if (request === undefined) return;
    exchange.request = undefined;
    const { writer } = this.owner;
    const bytes = writer.write(request);
    if (!this.holdsProcess) this.socket.ref();
    this.holdsProcess = true;
    this.phase = 'head';
    this.headBytes = 0;
    if (!writer.leavesOut(request)) {
      this.socket.write(bytes);
      return;
    }
    this.socket.cork();
    this.socket.write(bytes);
    this.socket.write(request.body);
    this.socket.uncork();
  }

  /** Small reads are kept; large ones are lent, because most of what is in them is copied to somewhere else. */
  private take(read: Buffer): boolean {
    const isLarge = read.length >= LARGE_READ_BYTES;
    this.read(isLarge ? read : keptBytes(read));
    if (isLarge && READ_TURNS.spend(read.length)) this.rest();
    return !this.paused && !this.resting;
  }

  private rest(): void {
    if (this.resting || this.closed) return;
    this.resting = true;
    READ_TURNS.wait(() => {
      this.resting = false;
      if (!this.paused && !this.closed) this.socket.resume();
    });
  }

  private read(chunk: Buffer): void {
    if (this.exchange === undefined) {
      // Nobody asked for these bytes: whatever follows them would be taken for the wrong answer.
      this.close();
      return;
    }
    try {
      if (this.phase === 'head') this.readHead(chunk);
      else this.readBody(chunk, 0);
    } catch (thrown) {
      this.fail(asError(thrown));
    }
  }

  private readHead(chunk: Buffer): void {
    const bytes = this.partial === undefined ? chunk : Buffer.concat([this.partial, chunk]);
    let at = 0;
    // Reading it from the start again is worth it only when another line is complete.
    while (this.partial === undefined || chunk.includes(LF)) {
      const end = this.scanner.scan(bytes, at);
      if (end === INCOMPLETE) break;
      this.headBytes += end - at;
      if (this.headBytes > MAX_HEAD_BYTES) throw headTooLong();
      if (this.scanner.status >= 200) {
        this.partial = undefined;
        this.startResponse(this.fieldsIn(bytes, at, end));
        this.readBody(bytes, end);
        return;
      }
      if (this.scanner.status === 101) throw badHttp('HPE_INVALID_STATUS', 'nobody asked for another protocol');
      at = end;
    }
    this.partial = at === bytes.length ? undefined : ownBytes(bytes.subarray(at));
    if (this.headBytes + bytes.length - at > MAX_HEAD_BYTES) throw headTooLong();
  }

  /** They are read when somebody asks, and a large read is lent no longer then. */
  private fieldsIn(bytes: Buffer, start: number, end: number): ResponseFields {
    const { contentType } = this.scanner;
    if (bytes.length < LARGE_READ_BYTES) return new ResponseFields(contentType, bytes, start, end);
    return new ResponseFields(contentType, ownBytes(bytes.subarray(start, end)), 0, end - start);
  }

  private startResponse(fields: ResponseFields): void {
    const { scanner, exchange } = this;
    const { status, chunked, contentLength, hasLength } = scanner;
    this.reusable = !scanner.closes;
    if (status === 204 || status === 304) {
      // It has no body. If its headers declare one, unexpected bytes may follow.
      if (chunked || contentLength > 0) this.reusable = false;
      this.phase = 'length';
      this.left = 0;
    } else if (chunked) {
      this.phase = 'chunked';
      this.chunks.begin();
    } else {
      this.phase = hasLength ? 'length' : 'until-close';
      this.left = contentLength;
    }
    exchange?.handler.onResponseStart(exchange, status, fields);
  }

  private readBody(bytes: Buffer, start: number): void {
    switch (this.phase) {
      case 'length':
        this.readLength(bytes, start);
        break;
      case 'chunked':
        this.readChunks(bytes, start);
        break;
      case 'until-close':
        this.give(bytes, start, bytes.length);
        break;
      case 'idle':
      case 'starting':
      case 'head':
        // The handler ended it.
        break;
      default:
        this.phase satisfies never;
    }
  }

  private readLength(bytes: Buffer, start: number): void {
    const end = Math.min(bytes.length, start + this.left);
    this.left -= end - start;
    if (this.give(bytes, start, end) && this.left === 0) this.finish(end === bytes.length);
  }

  private readChunks(bytes: Buffer, start: number): void {
    const { chunks } = this;
    let at = start;
    while (at < bytes.length) {
      at = chunks.step(bytes, at);
      if (!this.give(bytes, chunks.dataStart, chunks.dataEnd)) return;
      if (chunks.isDone) {
        this.finish(at === bytes.length);
        return;
      }
    }
  }

  /** False when the handler ended it. */
  private give(bytes: Buffer, start: number, end: number): boolean {
    const { exchange } = this;
    if (exchange === undefined) return false;
    if (start === end) return true;
    const isAll = start === 0 && end === bytes.length;
    exchange.handler.onResponseData(exchange, isAll ? bytes : bytes.subarray(start, end));
    return this.exchange === exchange;
  }

  /**
   * The answer is complete. Only a connection on which nothing is left over, and whose last answer was the one that was
   * asked for, is used again: on any other the next caller could get what belongs to somebody else.
   */
  private finish(isClean: boolean): void {
    const exchange = this.detach();
    this.answers += 1;
    const isProven = exchange?.end() === true;
    if (isClean && isProven && this.reusable && this.socket.writableLength === 0 && !this.closed) {
      this.owner.free(this, this.scanner.keepAliveSeconds);
    } else {
      this.close();
    }
    this.owner.served();
  }

  private ended(): void {
    if (this.phase === 'until-close') {
      this.finish(false);
      return;
    }
    if (this.answers === 1) this.owner.closedAfterAnswer(this);
    this.fail(this.closedError());
  }

  private detach(): Http1Exchange | undefined {
    const { exchange } = this;
    this.exchange = undefined;
    this.phase = 'idle';
    this.resume();
    if (exchange !== undefined) exchange.carrier = undefined;
    return exchange;
  }

  private closedError(): Error {
    return connectionClosed('the other side closed the connection', this.bytesWritten);
  }
}

const headTooLong = (): Error => badHttp('HPE_HEADER_OVERFLOW', 'the head of the answer is too long');
