import type { Tracer } from '@opentelemetry/api';
import { askForLogin, type LoginSettled } from './bridge/login-elicitation.js';
import type { FlowWatch } from './call/flow-watch.js';
import type { CallStep } from './call/step.js';
import { limitArguments } from './guard/limit-arguments.js';
import type { DirectSteps, RelayPath } from './direct/direct-steps.js';
import { CallLimits, type Limits } from './guard/call-limits.js';
import { limitRates } from './guard/limit-rates.js';
import { limitResults } from './guard/limit-results.js';
import type { CallSink } from './observe/call-record.js';
import { type NoteOutcome, noteServers } from './observe/note-servers.js';
import { passTraceContext, traceCalls } from './observe/trace-calls.js';
import { noteRoute, tellSinks, watchCalls } from './observe/watch-calls.js';
import type { PipelineSteps } from './pipeline.js';
import { unwrapCallTool } from './search/unwrap-call-tool.js';
import { explainUnfitArguments } from './toolset/unfit-arguments.js';

export interface StandardStepsOptions {
  /** Without one, the client's trace context is only passed on. */
  readonly tracer?: Tracer | undefined;
  /** Everybody who wants to know of finished requests. */
  readonly sinks: readonly CallSink[];
  /** Whoever keeps the state of servers. */
  readonly note?: NoteOutcome | undefined;
  readonly limits: Limits;
  /** Hears which way each call of a tool takes. */
  readonly onPath?: ((path: RelayPath) => void) | undefined;
  readonly maxArgumentBytes: number;
  readonly maxResultBytes: number;
  /** Who may do what; these know the tool that is really meant. */
  readonly authorize?: readonly CallStep[] | undefined;
  /** Waits for logins to servers; without it, clients get an error that names the URL. */
  readonly loginSettled?: LoginSettled | undefined;
  readonly onInternalError: (error: unknown) => void;
  /** Follows requests and messages on demand. */
  readonly flows?: FlowWatch | undefined;
}

const directSteps = (options: StandardStepsOptions, limits: CallLimits): DirectSteps => ({
  tracer: options.tracer,
  tell: tellSinks(options),
  note: options.note,
  limits,
  maxArgumentBytes: options.maxArgumentBytes,
  maxResultBytes: options.maxResultBytes,
  onPath: options.onPath,
  flows: options.flows,
});

/** What a hub does with every request beside answering it, outermost first. */
export const standardSteps = (options: StandardStepsOptions): PipelineSteps => {
  const limits = new CallLimits(options);
  return {
    observe: [options.tracer === undefined ? passTraceContext : traceCalls(options.tracer), watchCalls(options)],
    authorize: [explainUnfitArguments, unwrapCallTool, ...(options.authorize ?? [])],
    guard: [
      noteRoute,
      ...limitRates(limits),
      limitArguments(options.maxArgumentBytes),
      limitResults(options.maxResultBytes),
      ...(options.loginSettled === undefined ? [] : [askForLogin(options.loginSettled)]),
      ...(options.note === undefined ? [] : [noteServers(options.note)]),
    ],
    // Whoever wants to see every call before it goes out sees it on the ordinary way only.
    ...(options.authorize === undefined ? { direct: directSteps(options, limits) } : {}),
  };
};
