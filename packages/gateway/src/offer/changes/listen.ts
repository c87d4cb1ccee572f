import { anySignal, untilAborted } from '@plugboard/base';
import { buildNotification, isJsonObject, type JsonObject, type JsonRpcNotification, META_KEY } from '@plugboard/wire';
import { capabilitiesOf } from '../greeting/capabilities.js';
import type { OfferBooks } from '../aggregate/offer-books.js';
import { askedUri, type OwnUri, readQualifiedUri } from '../scope/qualified-uri.js';
import { resourceOwner } from '../../pipeline/route/owner/resource-owner.js';
import type { McpCall } from '../../call/mcp-call.js';
import { objectAt, withMeta } from '../../rpc/members.js';
import { invalidParams, missingCapability } from '../../rpc/rpc-refusal.js';
import { leaseLink } from '../../connection/lease-link.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import type { ListArea } from './audience.js';
import type { ChangeFeed } from './change-feed.js';
import type { TaskFeed } from '../../forward/tasks/task-feed.js';
import { MODERN_TASKS, offersTasks, takesTasks } from '../../connection/task-support.js';
import { keepOpen } from './keep-open.js';
import { checkSubscriptionCount, checkSubscriptionUri } from './subscription-bounds.js';

export interface ListenParts {
  readonly upstream: UpstreamPool;
  readonly books: OfferBooks;
  readonly changes: ChangeFeed;
  readonly tasks: TaskFeed;
  /** Aborts when the hub is told to stop: streams end in good order. */
  readonly stopping: AbortSignal;
}

interface Filter {
  readonly areas: ReadonlySet<ListArea>;
  readonly uris: readonly string[];
  readonly taskIds: readonly string[];
}

const FILTER_NAMES: Readonly<Record<ListArea, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
};
const AREAS = Object.keys(FILTER_NAMES) as ListArea[];

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? [...new Set(value.filter((each) => typeof each === 'string'))] : [];

/** The tasks that the client wants to follow, if it takes tasks at all. */
const askedTasks = ({ upstream }: ListenParts, call: McpCall, asked: unknown): readonly string[] => {
  const taskIds = offersTasks(call.scope, upstream, 'modern') ? texts(asked) : [];
  if (taskIds.length > 0 && !takesTasks(call.client.capabilities)) {
    throw missingCapability({ extensions: MODERN_TASKS });
  }
  return taskIds;
};

/** The part of the client's filter that this endpoint can honour. */
const honour = (parts: ListenParts, call: McpCall): Filter => {
  const { notifications } = call.params;
  if (!isJsonObject(notifications)) {
    throw invalidParams('"notifications" must be an object that lists the notifications to send.');
  }
  const capabilities = capabilitiesOf(call.scope, parts.upstream, 'modern');
  const areas = AREAS.filter(
    (area) => notifications[FILTER_NAMES[area]] === true && objectAt(capabilities, area)['listChanged'] === true,
  );
  const canSubscribe = objectAt(capabilities, 'resources')['subscribe'] === true;
  const uris = canSubscribe ? texts(notifications['resourceSubscriptions']) : [];
  checkSubscriptionCount(uris.length);
  uris.forEach(checkSubscriptionUri);
  return {
    areas: new Set(areas),
    uris,
    taskIds: askedTasks(parts, call, notifications['taskIds']),
  };
};

const shown = ({ areas, uris, taskIds }: Filter): JsonObject => ({
  ...Object.fromEntries([...areas].map((area) => [FILTER_NAMES[area], true])),
  ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
  ...(taskIds.length === 0 ? {} : { taskIds }),
});

/** Everything on the stream says which subscription it belongs to. */
const tag = (call: McpCall, notification: JsonRpcNotification): JsonRpcNotification => ({
  ...notification,
  params: withMeta(isJsonObject(notification.params) ? notification.params : {}, (meta) => ({
    ...meta,
    [META_KEY.subscriptionId]: call.id,
  })),
});

interface Watched {
  readonly link: UpstreamLink;
  readonly letGo: () => void;
  /** The URI as the server knows it. */
  readonly ownUri: string;
}

/** Subscribes upstream to each resource; those that no server knows are left out. */
const watch = async ({ upstream, books }: ListenParts, call: McpCall, uris: readonly string[]) => {
  const book = books.for(call.client.caller);
  const watched = new Map<string, Watched>();
  const servers = call.scope.servers();
  const ownerOf = (uri: string): OwnUri | undefined => {
    const qualified = call.scope.kind === 'server' ? undefined : readQualifiedUri(servers, uri);
    if (qualified !== undefined) return qualified;
    const server = call.scope.kind === 'server' ? servers[0] : resourceOwner(book, servers, uri);
    return server && { server, uri };
  };
  await Promise.allSettled(
    uris.map(async (uri) => {
      const own = ownerOf(uri);
      if (own === undefined) return;
      const { link, letGo } = await leaseLink(upstream, own.server, call, call.signal);
      try {
        await link.resources.add(own.uri, call.signal);
        watched.set(uri, { link, letGo, ownUri: own.uri });
      } catch {
        letGo();
      }
    }),
  );
  return watched;
};

/** subscriptions/listen: acknowledges what will be told, tells it, and ends when the client goes or the hub stops. */
export const listen = async (parts: ListenParts, call: McpCall): Promise<JsonObject> => {
  const filter = honour(parts, call);
  const watched = await watch(parts, call, filter.uris);
  const tell = (notification: JsonRpcNotification): void => call.reply.notify(tag(call, notification));
  const followed = await parts.tasks.follow(call, filter.taskIds, tell);
  const uris = filter.uris.filter((uri) => watched.has(uri));
  const honoured = { areas: filter.areas, uris, taskIds: followed.handles };
  tell(buildNotification('notifications/subscriptions/acknowledged', { notifications: shown(honoured) }));
  const leave = parts.changes.add({
    scope: call.scope,
    wants: (area) => honoured.areas.has(area),
    watches: (uri, link) => askedUri(watched, { server: link.server, uri }, (held) => held.link === link),
    tell,
  });
  const stopKeeping = honoured.areas.size === 0 ? () => undefined : keepOpen(parts.upstream, call.scope);
  try {
    await untilAborted(anySignal(call.signal, parts.stopping));
  } finally {
    leave();
    stopKeeping();
    followed.stop();
    for (const { link, letGo, ownUri } of watched.values()) void link.resources.remove(ownUri).finally(letGo);
  }
  return { resultType: 'complete', _meta: { [META_KEY.subscriptionId]: call.id } };
};
