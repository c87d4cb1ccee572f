import { at, isObject, tryJson, type JsonObject, type MessageId } from '../../connection/json.js';
import type { Probe } from '../../probe/probe.js';
import { enveloped, requestMessage } from '../../session/envelope.js';
import type { Exchange } from '../../session/exchange.js';
import { mirroredHeaders } from '../../session/http-headers.js';
import { META } from '../../session/meta.js';
import { LATEST } from '../../session/revision.js';
import type { Session } from '../../session/session.js';

/** An open subscription. */
export interface Listening {
  readonly id: MessageId;
  /** Everything that came on its stream; over stdio, everything that came and is not an answer to another request. */
  readonly messages: () => readonly JsonObject[];
  readonly exchange: () => Exchange;
  /** The status by which HTTP refused it. */
  readonly refused: number | undefined;
  /** Ends it as the transport has it. */
  readonly stop: () => Promise<void>;
}

export const tagOf = (message: JsonObject): unknown =>
  at(message, 'params', '_meta', META.subscriptionId) ?? at(message, 'result', '_meta', META.subscriptionId);

const overHttp = async (probe: Probe, message: JsonObject, id: MessageId): Promise<Listening> => {
  const text = JSON.stringify(message);
  const stream = await probe.stream({ headers: mirroredHeaders(message), body: text });
  const body = stream.isStream ? undefined : tryJson(await stream.text());
  const messages = (): readonly JsonObject[] =>
    (body === undefined ? stream.events.items.map(({ data }) => tryJson(data)) : [body]).filter(isObject);
  if (stream.isStream) {
    const deadline = {
      ms: probe.target.budgets.requestMs,
      what: 'first message of the subscription',
      signal: probe.signal,
    };
    await stream.events.until((event) => event, 0, deadline).catch(() => undefined);
  }
  return {
    id,
    messages,
    refused: stream.status >= 400 ? stream.status : undefined,
    exchange: () => ({
      sent: text,
      received: JSON.stringify(messages()),
      connection: stream.connection,
      recipe: undefined,
    }),
    stop: async () => {
      stream.close();
      await Promise.resolve();
    },
  };
};

const overStdio = async (session: Session, message: JsonObject, id: MessageId): Promise<Listening> => {
  const text = JSON.stringify(message);
  const from = session.incoming.length;
  await session.send(text);
  const messages = (): readonly JsonObject[] => session.incoming.slice(from);
  return {
    id,
    messages,
    refused: undefined,
    exchange: () => ({
      sent: text,
      received: JSON.stringify(messages()),
      connection: session.connection,
      recipe: undefined,
    }),
    stop: async () => {
      await session.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
      await session.settle();
    },
  };
};

/** Opens subscriptions/listen with this filter, and waits for what comes first. */
export const listen = async (probe: Probe, session: Session, filter: JsonObject, id: MessageId): Promise<Listening> => {
  const params = enveloped({ notifications: filter }, { era: 'modern', revision: LATEST.modern }, {});
  const message = requestMessage(id, 'subscriptions/listen', params);
  return probe.transport === 'stdio' ? await overStdio(session, message, id) : await overHttp(probe, message, id);
};
