import type { JsonObject } from '../json-rpc/message.js';
import type { CrashPhase, Fault } from './fault.js';
import type { ScriptRule } from './script-rule.js';

const HTML = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nothing here</body></html>';

/** Builds one rule: first which messages, then what befalls them. Faults combine. */
export class FaultRule {
  readonly #match: { readonly on: string; readonly name?: string };
  #from = 1;
  #to: number | undefined;
  #fault: Fault = {};

  constructor(match: { readonly on: string; readonly name?: string }) {
    this.#match = match;
  }

  toRule(): ScriptRule {
    return {
      ...this.#match,
      from: this.#from,
      ...(this.#to === undefined ? {} : { to: this.#to }),
      fault: this.#fault,
    };
  }

  /** This rule alone, as `fakeServerCommand({ script })` takes it. */
  get rules(): readonly ScriptRule[] {
    return [this.toRule()];
  }

  first(count = 1): this {
    return this.#between(1, count);
  }

  nth(position: number): this {
    return this.#between(position, position);
  }

  /** Every message after the first `count`. */
  after(count: number): this {
    return this.#between(count + 1, undefined);
  }

  always(): this {
    return this.#between(1, undefined);
  }

  /** The fault is played although the handler ran. */
  afterHandler(): this {
    return this.play({ afterHandler: true });
  }

  delay(ms: number): this {
    return this.play({ delayMs: ms });
  }

  respondStatus(status: number, body?: string, headers?: Readonly<Record<string, string>>): this {
    return this.play({
      status,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    });
  }

  respondError(code: number, message: string, data?: unknown): this {
    return this.play({ error: { code, message, ...(data === undefined ? {} : { data }) } });
  }

  respondResult(result: JsonObject): this {
    return this.play({ result });
  }

  hang(): this {
    return this.play({ hang: 'silent' });
  }

  hangAfterHeaders(): this {
    return this.play({ hang: 'after-headers' });
  }

  /** Half an SSE event, or half a line, and then nothing. */
  hangMidEvent(): this {
    return this.play({ hang: 'mid-event' });
  }

  endStreamAfter(events: number): this {
    return this.play({ endStreamAfter: events });
  }

  cutSocket(when: 'before-handler' | 'after-handler' = 'before-handler'): this {
    return this.play(when === 'after-handler' ? { cut: true, afterHandler: true } : { cut: true });
  }

  respondGarbage(body = '\u0000\u0001 this is not a message \uFFFD'): this {
    return this.play({ body, contentType: 'application/json' });
  }

  respondInvalidJson(body = '{"jsonrpc":"2.0","id":1,"result":{'): this {
    return this.play({ body, contentType: 'application/json' });
  }

  respondHtml(body = HTML, status = 200): this {
    return this.play({ body, status, contentType: 'text/html' });
  }

  /** The proper answer under a wrong content type. */
  contentType(contentType: string): this {
    return this.play({ contentType });
  }

  drip(bytes = 1, everyMs = 1): this {
    return this.play({ drip: { bytes, everyMs } });
  }

  dropSession(): this {
    return this.play({ dropSession: true });
  }

  sessionId(sessionId: string): this {
    return this.play({ sessionId });
  }

  noise(...lines: readonly string[]): this {
    return this.play({ noise: lines });
  }

  endlessPages(): this {
    return this.play({ endlessPages: true });
  }

  crash(phase: CrashPhase): this {
    return this.play({ crash: phase });
  }

  padTo(bytes: number): this {
    return this.play({ padTo: bytes });
  }

  wrongId(): this {
    return this.play({ wrongId: true });
  }

  duplicate(): this {
    return this.play({ duplicate: true });
  }

  crlf(): this {
    return this.play({ lineEnding: '\r\n' });
  }

  splitEvery(bytes: number): this {
    return this.play({ splitBytes: bytes });
  }

  play(fault: Fault): this {
    this.#fault = { ...this.#fault, ...fault };
    return this;
  }

  #between(from: number, to: number | undefined): this {
    this.#from = from;
    this.#to = to;
    return this;
  }
}
