import { deferred, linkSignals } from '@plugboard/base';
import { buildRequest, isJsonObject, type JsonObject, type JsonRpcNotification } from '@plugboard/wire';
import { waitWithSignal } from '../deadline/wait-with-signal.js';
import { McpProtocolError } from '../error/error-family.js';
import { rpcError } from '../error/rpc-error.js';
import type { Redact } from '../redact/redaction.js';
import type { ClientIdentity } from '../negotiate/agreement.js';
import type { LiveSession } from './live-session.js';
import type { ListenFilter } from './notification-feed.js';

/** local: closed here. graceful: the server ended it and said so. remote: the stream broke. */
export type SubscriptionEnd = 'local' | 'graceful' | 'remote';

export interface Subscription {
  /** What the server agreed to tell. */
  readonly honoured: JsonObject;
  readonly closed: Promise<SubscriptionEnd>;
  close(): void;
}

export interface SubscribeOptions {
  readonly filter: ListenFilter;
  readonly identity: ClientIdentity;
  readonly nextId: () => number;
  readonly redact: Redact;
  /** Bounds the wait for the acknowledgement. */
  readonly opening: AbortSignal;
  /** Any of them ends the subscription. */
  readonly life: readonly (AbortSignal | undefined)[];
  readonly onNotification: (notification: JsonRpcNotification) => void;
}

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** A client that subscribes to tasks declares that it supports them. */
const declaredFor = ({ filter, identity: { capabilities } }: SubscribeOptions): JsonObject => {
  if (filter.taskIds === undefined) return capabilities;
  const { extensions } = capabilities;
  return { ...capabilities, extensions: { ...(isJsonObject(extensions) ? extensions : {}), [TASKS_EXTENSION]: {} } };
};

/** Opens a `subscriptions/listen` stream of a modern server; resolves once the server has acknowledged it. */
export const subscribe = async (live: LiveSession, options: SubscribeOptions): Promise<Subscription> => {
  const { revision } = live.agreement;
  if (!revision.features.subscriptionsListen) {
    throw new McpProtocolError('METHOD_NOT_FOUND', 'This server has no subscriptions: it speaks an older revision.', {
      hint: 'Use onNotification: legacy servers send changes without a subscription.',
    });
  }
  const own = new AbortController();
  const linked = linkSignals(own.signal, ...options.life);
  const acknowledged = deferred<JsonObject>();
  const params = revision.encodeParams(
    { notifications: options.filter },
    { clientInfo: options.identity.clientInfo, clientCapabilities: declaredFor(options) },
  );
  const ended = live.transport.request(buildRequest(options.nextId(), 'subscriptions/listen', params), {
    signal: linked.signal,
    onIncoming: ({ kind, message }) => {
      if (kind === 'request') return;
      if (message.method === 'notifications/subscriptions/acknowledged') {
        const honoured = isJsonObject(message.params) ? message.params['notifications'] : undefined;
        acknowledged.resolve(isJsonObject(honoured) ? honoured : {});
      } else {
        options.onNotification(message);
      }
    },
  });
  const closed = ended
    .then((response): SubscriptionEnd => {
      if ('error' in response) {
        acknowledged.reject(rpcError(response.error, options.redact));
      } else {
        acknowledged.resolve({});
      }
      return 'graceful';
    })
    .catch((thrown: unknown): SubscriptionEnd => {
      acknowledged.reject(thrown);
      return linked.signal.aborted ? 'local' : 'remote';
    })
    .finally(() => linked[Symbol.dispose]());
  try {
    const honoured = await waitWithSignal(acknowledged.promise, options.opening, 'not-executed');
    return { honoured, closed, close: () => own.abort() };
  } catch (thrown) {
    own.abort();
    throw thrown;
  }
};
