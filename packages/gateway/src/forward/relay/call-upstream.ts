import { type OpenLargeAnswer, type RequestOptions, withFreshTool } from '@plugboard/client';
import type { ToolDefinition } from '@plugboard/contract';
import { type JsonObject, readParamHeaders, type RequestId } from '@plugboard/wire';
import type { ReplyChannel } from '../../call/mcp-call.js';
import type { LeasedCall } from './leased-call.js';
import { agentHeader } from '../../connection/agent-header.js';
import { progressRelay, waitRelay } from './progress-token.js';

type PassedOptions = 'logLevel' | 'allowInputRequired' | 'progressUntil' | 'onNotification' | 'onRequest';

/** The options of the call that depend on the era of client and server. */
export interface UpstreamCallDetails extends Pick<RequestOptions, PassedOptions> {
  readonly params: JsonObject;
  readonly signal: AbortSignal;
  /** Where progress goes; the request may have been taken over by a later one. */
  readonly reply: () => ReplyChannel | undefined;
}

/** How long a client that gave no progress token is left in silence before its call is sent. */
const SILENT_WAIT_MS = 10_000;

const PARAM_HEADER = 'mcp-param-';
/** W3C Trace Context: traces of the upstream request continue those of the downstream request. */
const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage'] as const;

const addTraceHeaders = (found: Record<string, string>, headers: LeasedCall['call']['headers']): void => {
  for (const name of TRACE_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') found[name] = value;
  }
};

/** Fields that no parameter of the tool is mirrored into: intermediaries pass on those they do not know. */
const foreignParamHeaders = (headers: LeasedCall['call']['headers'], schema: unknown): Record<string, string> => {
  const found: Record<string, string> = {};
  let hasAny = false;
  for (const name in headers) {
    if (!name.startsWith(PARAM_HEADER)) continue;
    const value = headers[name];
    if (typeof value !== 'string') continue;
    found[name] = value;
    hasAny = true;
  }
  const annotated = hasAny ? readParamHeaders(schema) : undefined;
  for (const { name } of annotated?.valid === true ? annotated.headers : []) {
    delete found[PARAM_HEADER + name.toLowerCase()];
  }
  return found;
};

const openLarge =
  (large: LeasedCall['large'], { client }: LeasedCall['call'], { server }: LeasedCall['route']): OpenLargeAnswer =>
  (id) =>
    large?.open(server.id, { id, era: client.revision.era });

const headersOf = (
  { headers, client }: LeasedCall['call'],
  tool: ToolDefinition | undefined,
): Record<string, string> => {
  const found = foreignParamHeaders(headers, tool?.inputSchema);
  addTraceHeaders(found, headers);
  return Object.assign(found, agentHeader(client.caller.agent));
};

/** Sends the routed request to its server. A tool whose schema changed behind our back is looked up once more. */
export const callUpstream = async (
  { call, route, lease, large }: LeasedCall,
  details: UpstreamCallDetails,
): Promise<unknown> => {
  // What was sent is answered where it was sent, also when the connection was replaced meanwhile.
  const client = call.sent?.client ?? lease.link.client;
  const tool = route.tool?.kind === 'server' ? route.tool.upstreamDefinition : undefined;
  const onWait = waitRelay(call.params, details.reply);
  const flow = call.notes?.flow;
  const times = call.notes?.times;
  const options = {
    signal: details.signal,
    // Nobody can say how long a client waits that cannot be told anything; the usual clients wait for a minute.
    patienceMs: onWait === undefined ? SILENT_WAIT_MS : undefined,
    onWait,
    caller: call.client.caller.principal,
    headers: headersOf(call, tool),
    logLevel: details.logLevel,
    allowInputRequired: details.allowInputRequired,
    onProgress: progressRelay(call.params, details.reply),
    progressUntil: details.progressUntil,
    onNotification: details.onNotification,
    pace: () => details.reply()?.drained?.(),
    onRequest: details.onRequest,
    callId: flow?.subject.callId,
    onSend: (id: RequestId, attempt: number): void => {
      if (times !== undefined) times.sent = performance.now();
      flow?.sent(id, attempt);
    },
    openLarge: route.method === 'tools/call' ? openLarge(large, call, route) : undefined,
    tool,
    underWay: call.sent?.underWay,
  };
  const first = (): Promise<unknown> => client.request(route.method, details.params, options);
  try {
    if (tool === undefined) return await first();
    return await withFreshTool(tool.name, () => client.listTools({ signal: details.signal }), {
      first,
      again: (fresh) => client.request(route.method, details.params, { ...options, tool: fresh, underWay: undefined }),
    });
  } finally {
    if (times !== undefined) times.answered = performance.now();
  }
};
