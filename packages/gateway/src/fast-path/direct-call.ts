import type { DirectListener, DirectMessage, FastExchange, Unusual } from '@plugboard/client';
import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { type AnswerSpans, type Edit, isText, scanAnswer, type Span, splice } from '@plugboard/wire';
import type { CallFlow } from '../call/call-flow.js';
import type { SentCall } from '../call/sent-call.js';
import type { InFlight, Tracked } from '../session/legacy-session.js';
import type { HttpTurn, StartedReply } from '../session/http-turn.js';
import type { BackpressureOptions } from '../http/backpressure-writer.js';
import type { CallOutcome } from '../pipeline/observe/call-record.js';
import { tellsOfUnknownTool } from '../pipeline/observe/suspect-tools.js';
import { endSpan } from '../pipeline/observe/trace-calls.js';
import { mayPass } from '../rpc/accepted-answer.js';
import type { CallTrace } from './call-trace.js';
import type { DirectClient } from './direct-client.js';
import { DirectRecord } from './direct-record.js';
import type { FullPath } from './direct-relay.js';
import type { DirectSteps } from '../pipeline/direct-steps.js';
import type { DirectTarget } from './direct-target.js';
import { seeDirectAnswer, seeDirectCall } from './see-direct.js';
import { type AnswerForm, releaseWith, writeAnswer } from './write-answer.js';
import type { WrittenCall } from './written-call.js';

export interface DirectCallOptions {
  readonly turn: HttpTurn;
  readonly call: WrittenCall;
  readonly form: AnswerForm;
  readonly client: DirectClient;
  readonly target: DirectTarget;
  readonly trace: CallTrace;
  readonly flow: CallFlow | undefined;
  readonly steps: DirectSteps;
  /** The id that the server knows, as JSON. */
  readonly idText: string;
  /** How far the client may fall behind. */
  readonly backpressure: () => BackpressureOptions | undefined;
  /** To be called when the server does not know the tool. */
  readonly suspectTools: () => void;
  /** Ends what the limits counted. */
  readonly leave: () => void;
  readonly full: FullPath;
}

const NO_EDITS: readonly Edit[] = [];

const withEdit = (edits: readonly Edit[], more: Edit): readonly Edit[] =>
  edits.length === 0 ? [more] : [...edits, more].toSorted((one, other) => one.start - other.start);

/** What makes the message of the server that of the client: its own id. */
const editsOfMessage = (message: Buffer, id: Span, changes: readonly Edit[], idText: string): readonly Edit[] =>
  isText(message, id, idText) ? changes : withEdit(changes, { start: id.start, end: id.end, text: idText });

/** What leaves the result alone; all changes are in it. */
const editsOfResult = (message: Buffer, { result }: AnswerSpans, changes: readonly Edit[]): readonly Edit[] => {
  const { start, end } = result ?? { start: 0, end: message.length };
  return [{ start: 0, end: start, text: '' }, ...changes, { start: end, end: message.length, text: '' }];
};

/** A call on the fast path, from the moment it was sent to its answer. */
export class DirectCall implements DirectListener, InFlight {
  // Not private names: those cost twice as much to make, and one of these is made for every call.
  private readonly options: DirectCallOptions;
  private readonly startedAt: number;
  private exchange: FastExchange | undefined;
  private tracked: Tracked | undefined;
  private over = false;
  /** Where progress was told; the answer goes the same way. */
  private reply: StartedReply | undefined;

  constructor(options: DirectCallOptions, startedAt: number) {
    this.options = options;
    this.startedAt = startedAt;
    options.target.link.enter();
    options.target.link.noteCall();
  }

  /** False when the server may not be called at once: then nothing happened. */
  send(message: DirectMessage): boolean {
    const { client, call, turn, target } = this.options;
    const exchange = target.line.prepare(message, this);
    if (exchange === undefined) {
      this.over = true;
      this.release();
      return false;
    }
    this.exchange = exchange;
    const seen = this.seen();
    if (seen !== undefined) seeDirectCall(seen.flows, seen, call, message.body);
    this.tracked = client.session?.track(call.id, this);
    turn.response.on('close', () => this.hungUp());
    target.line.post(message, exchange);
    return true;
  }

  onAnswer(message: Buffer, scanned?: AnswerSpans, release?: () => void): boolean {
    const { call, turn, steps, idText, form } = this.options;
    if (message.length > steps.maxResultBytes) return false;
    const spans = scanned ?? scanAnswer(message, MAX_JSON_DEPTH);
    if (spans?.id === undefined) return false;
    const { start, end } = spans.id;
    // The first tells at once, but only of ids without other letters than those of ASCII.
    if (!isText(message, spans.id, idText) && message.toString('utf8', start, end) !== idText) return false;
    const changes = this.changesOf(message, spans);
    if (changes === undefined) return false;
    this.over = true;
    const edits =
      form === 'result'
        ? editsOfResult(message, spans, changes)
        : editsOfMessage(message, spans.id, changes, call.idText);
    const seen = this.seen();
    if (seen !== undefined) seeDirectAnswer(seen.flows, seen, { received: message, sent: splice(message, edits) });
    if (this.reply === undefined) {
      if (release !== undefined) releaseWith(turn.response, release);
      writeAnswer(turn.response, message, edits, this.options);
    } else {
      const text = splice(message, edits).toString();
      release?.();
      this.reply.finish({ text: () => text });
    }
    const isError =
      call.method === 'tools/call' && spans.isError !== undefined && message[spans.isError.start] === 0x74;
    if (isError && tellsOfUnknownTool(message.toString('utf8', 0, 2000))) this.options.suspectTools();
    this.finish(isError ? 'tool_error' : 'ok');
    steps.note?.(this.options.target.server.id);
    return true;
  }

  onProgress(message: Buffer, token: Span): boolean {
    const { call, client, flow, full } = this.options;
    const own = call.spans.progressToken;
    // What is shown to those who follow it, and who gave no token: the full path knows.
    if (own === undefined || flow !== undefined || this.over) return false;
    this.reply ??= full.openReply(client, call);
    // A client that does not keep up slows the server down, on the full path.
    if (this.reply === undefined || this.reply.drained() !== undefined) return false;
    const text = call.bytes.toString('utf8', own.start, own.end);
    this.reply.deliverText(splice(message, [{ start: token.start, end: token.end, text }]).toString());
    return true;
  }

  onUnusual(reason: Unusual): void {
    if (this.over) return;
    this.over = true;
    const { turn, call, target, trace, flow, steps, full } = this.options;
    if (flow !== undefined) flow.obstacle = `left the fast path: ${reason}`;
    const underWay = this.exchange?.handOver();
    if (underWay === undefined) return;
    this.untrack();
    steps.onPath?.('unusual');
    const sent: SentCall = { client: target.link.client, underWay, span: trace.span, flow };
    void full.goOn({ ...turn, sent, started: this.reply }, call).finally(() => {
      underWay.drop();
      this.release();
    });
  }

  /** A client that can come back for its answer does not take the call back by hanging up. */
  private hungUp(): void {
    if (this.reply?.canResume !== true) this.abort();
  }

  /** The client takes it back, or is gone. */
  abort(): void {
    if (this.over || this.exchange === undefined) return;
    this.over = true;
    const { response } = this.options.turn;
    this.options.target.line.cancel(this.exchange);
    if (this.reply !== undefined) this.reply.abandon();
    else if (!response.destroyed && !response.headersSent) response.writeHead(202, { 'content-length': 0 }).end();
    this.finish('CANCELLED');
  }

  /** What of an answer the client gets to see in another form; undefined when the full path has to look at it. */
  private changesOf(message: Buffer, spans: AnswerSpans): readonly Edit[] | undefined {
    const { call, client, target } = this.options;
    if (target.bridge !== undefined) return target.bridge.changes(message, spans);
    return mayPass(message, spans, { method: call.method, era: client.facts.revision.era }) ? NO_EDITS : undefined;
  }

  private finish(outcome: CallOutcome): void {
    const { call, turn, client, target, trace, flow, steps } = this.options;
    this.untrack();
    this.release();
    const record = new DirectRecord({
      call,
      scope: turn.scope.id,
      client,
      target,
      outcome,
      durationMs: performance.now() - this.startedAt,
      traceId: trace.traceId,
      flow,
    });
    if (trace.span !== undefined) endSpan(trace.span, record, client.facts.revision.id);
    steps.onPath?.('fast');
    steps.tell(record);
  }

  /** What is needed to show its messages; undefined while nobody looks. */
  private seen() {
    const { flow, steps, turn, target } = this.options;
    const { flows } = steps;
    if (flow === undefined || flows?.followsMessages !== true) return undefined;
    return { flows, flow, target, endpoint: turn.scope.id };
  }

  private untrack(): void {
    if (this.tracked !== undefined) this.options.client.session?.untrack(this.tracked);
  }

  private release(): void {
    this.options.leave();
    this.options.target.link.leave();
  }
}
