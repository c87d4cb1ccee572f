import type { HttpExchange } from '../../connection/http-exchange.js';
import { isObject, tryJson } from '../../connection/json.js';
import type { SseEvent } from '../../connection/sse-parser.js';
import { parameterHeaders } from '../../probe/parameter-headers.js';
import type { Probe, RawRequest } from '../../probe/probe.js';
import type { CallableTool } from '../../calls/tool.js';
import { answers } from '../../session/envelope.js';
import type { Exchange } from '../../session/exchange.js';
import type { Session } from '../../session/session.js';
import { responsive } from '../instrument/exercise.js';
import { plainMethod, properRequest } from '../instrument/control-request.js';
import { posted } from './raw.js';

/** A request that was answered with a stream, up to its response. */
export interface Streamed {
  readonly http: HttpExchange;
  readonly events: readonly SseEvent[];
  readonly exchange: Exchange;
}

const WAIT_MS = 5_000;

type Ask = RawRequest & { readonly body: string };

const uniqueId = (): string => `stream-${crypto.randomUUID()}`;

const listRequest = (session: Session, method: string): Ask =>
  posted(session, properRequest(session, uniqueId(), method));

/** A call that asks for reports of progress, which have to come on a stream. */
const callRequest = (session: Session, tool: CallableTool): Ask => {
  const args = tool.arguments[0] ?? {};
  const _meta = { progressToken: uniqueId() };
  const message = properRequest(session, uniqueId(), 'tools/call', { name: tool.name, arguments: args, _meta });
  const call = posted(session, message);
  return { ...call, headers: { ...call.headers, ...parameterHeaders(tool.inputSchema, args) } };
};

type Asker = (session: Session) => Ask;

const LIKELY = /progress|stream|long|log/iu;

/** Requests that a server may answer with a stream: lists, then tools, those first that may have something to report. */
const askers = async (probe: Probe, session: Session): Promise<readonly Asker[]> => {
  const plain: Asker = (opened) => listRequest(opened, plainMethod(opened.era));
  if (session.capabilities['tools'] === undefined) return [plain];
  const tools = (await responsive(probe)).toSorted(
    (one, two) => Number(LIKELY.test(two.name)) - Number(LIKELY.test(one.name)),
  );
  return [
    plain,
    (opened) => listRequest(opened, 'tools/list'),
    ...tools.map(
      (tool): Asker =>
        (opened) =>
          callRequest(opened, tool),
    ),
  ];
};

/** Found out once per run and era. */
const streamingAsker = (probe: Probe): Promise<Asker | undefined> =>
  probe.once('streaming request', async () => {
    const session = await probe.open();
    for (const asker of await askers(probe, session)) {
      const http = await probe.stream(asker(session));
      const { isStream, status } = http;
      http.close();
      if (isStream && status === 200) return asker;
    }
    return undefined;
  });

const isResponseTo = (body: string, { data }: SseEvent): boolean => {
  const message = tryJson(data);
  const request = tryJson(body);
  return isObject(message) && isObject(request) && answers(message, String(request['id']));
};

const exchangeOf = (asked: RawRequest & { readonly body: string }, http: HttpExchange): Exchange => ({
  sent: asked.body,
  received: `HTTP ${http.status} ${http.headers['content-type'] ?? ''}\n${http.received}`.slice(0, 8_192),
  connection: http.connection,
  recipe: undefined,
});

/** A request that the server answers with a stream; undefined when no request that is allowed gets a stream. */
export const streamedAnswer = async (probe: Probe, session: Session): Promise<Streamed | undefined> => {
  const asker = await streamingAsker(probe);
  if (asker === undefined) return undefined;
  const asked = asker(session);
  const http = await probe.stream(asked);
  if (!http.isStream || http.status !== 200) return undefined;
  const ms = Math.min(WAIT_MS, probe.target.budgets.requestMs);
  const deadline = { ms, what: 'response on the stream', signal: probe.signal };
  const isIt = (event: SseEvent): SseEvent | undefined => (isResponseTo(asked.body, event) ? event : undefined);
  await http.events.until(isIt, 0, deadline).catch(() => undefined);
  return { http, events: http.events.items, exchange: exchangeOf(asked, http) };
};
