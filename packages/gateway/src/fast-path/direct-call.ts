import type { DirectListener, DirectMessage, FastExchange, Unusual } from '@plugboard/client';
import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { type AnswerSpans, type Edit, isText, scanAnswer, splice } from '@plugboard/wire';
import type { CallFlow } from '../call/call-flow.js';
import type { SentCall } from '../call/sent-call.js';
import type { InFlight, Tracked } from '../session/legacy-session.js';
import type { HttpTurn } from '../session/http-turn.js';
import type { BackpressureOptions } from '../http/backpressure-writer.js';
import type { CallOutcome } from '../pipeline/observe/call-record.js';
import { tellsOfUnknownTool } from '../pipeline/observe/suspect-tools.js';
import { endSpan } from '../pipeline/observe/trace-calls.js';
import { mayPass } from '../rpc/accepted-answer.js';
import type { CallTrace } from './call-trace.js';
import type { DirectClient } from './direct-client.js';
import { DirectRecord } from './direct-record.js';
import type { DirectSteps } from '../pipeline/direct-steps.js';
import type { DirectTarget } from './direct-target.js';
import { seeDirectAnswer, seeDirectCall } from './see-direct.js';
import { writeAnswer } from './write-answer.js';
import type { WrittenCall } from './written-call.js';

export interface DirectCallOptions {
  readonly turn: HttpTurn;
  readonly call: WrittenCall;
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
  /** Answers the turn on the full path, beginning with what was sent. */
  readonly goOn: (turn: HttpTurn, call: WrittenCall) => Promise<void>;
}

const NO_EDITS: readonly Edit[] = [];

const withEdit = (edits: readonly Edit[], more: Edit): readonly Edit[] =>
  edits.length === 0 ? [more] : [...edits, more].toSorted((one, other) => one.start - other.start);

/** A call on the fast path, from the moment it was sent to its answer. */
export class DirectCall implements DirectListener, InFlight {
  // Not private names: those cost twice as much to make, and one of these is made for every call.
  private readonly options: DirectCallOptions;
  private readonly startedAt: number;
  private exchange: FastExchange | undefined;
  private tracked: Tracked | undefined;
  private over = false;

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
    turn.response.on('close', () => this.abort());
    target.line.post(message, exchange);
    return true;
  }

  onAnswer(message: Buffer, scanned?: AnswerSpans): boolean {
    const { call, turn, steps, idText } = this.options;
    if (message.length > steps.maxResultBytes) return false;
    const spans = scanned ?? scanAnswer(message, MAX_JSON_DEPTH);
    if (spans?.id === undefined) return false;
    const { start, end } = spans.id;
    // The first tells at once, but only of ids without other letters than those of ASCII.
    if (!isText(message, spans.id, idText) && message.toString('utf8', start, end) !== idText) return false;
    const changes = this.changesOf(message, spans);
    if (changes === undefined) return false;
    this.over = true;
    const edits = call.idText === idText ? changes : withEdit(changes, { start, end, text: call.idText });
    const answer = edits.length === 0 ? message : splice(message, edits);
    const seen = this.seen();
    if (seen !== undefined) seeDirectAnswer(seen.flows, seen, { received: message, sent: answer });
    writeAnswer(turn.response, answer, this.options.backpressure);
    const isError = spans.isError !== undefined && message[spans.isError.start] === 0x74;
    if (isError && tellsOfUnknownTool(message.toString('utf8', 0, 2000))) this.options.suspectTools();
    this.finish(isError ? 'tool_error' : 'ok');
    steps.note?.(this.options.target.tool.server.id);
    return true;
  }

  onUnusual(reason: Unusual): void {
    if (this.over) return;
    this.over = true;
    const { turn, call, target, trace, flow, steps, goOn } = this.options;
    if (flow !== undefined) flow.obstacle = `left the fast path: ${reason}`;
    const underWay = this.exchange?.handOver();
    if (underWay === undefined) return;
    this.untrack();
    steps.onPath?.('unusual');
    const sent: SentCall = { client: target.link.client, underWay, span: trace.span, flow };
    void goOn({ ...turn, sent }, call).finally(() => {
      underWay.drop();
      this.release();
    });
  }

  /** The client takes it back, or is gone. */
  abort(): void {
    if (this.over || this.exchange === undefined) return;
    this.over = true;
    const { response } = this.options.turn;
    this.options.target.line.cancel(this.exchange);
    if (!response.destroyed && !response.headersSent) response.writeHead(202, { 'content-length': 0 }).end();
    this.finish('CANCELLED');
  }

  /** What of an answer the client gets to see in another form; undefined when the full path has to look at it. */
  private changesOf(message: Buffer, spans: AnswerSpans): readonly Edit[] | undefined {
    const { client, target } = this.options;
    if (target.bridge !== undefined) return target.bridge.changes(message, spans);
    return mayPass(message, spans, client.facts.revision.era) ? NO_EDITS : undefined;
  }

  private finish(outcome: CallOutcome): void {
    const { call, turn, client, target, trace, flow, steps } = this.options;
    this.untrack();
    this.release();
    const record = new DirectRecord({
      call,
      scope: turn.scope.id,
      client,
      tool: target.tool,
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
