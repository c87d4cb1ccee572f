import { META } from '../json-rpc/meta-key.js';
import { isObject, notification, type JsonObject } from '../json-rpc/message.js';
import { INVALID_PARAMS, RpcError } from '../json-rpc/rpc-error.js';
import { capabilitiesOf } from './capabilities.js';
import type { Method, MethodTable } from './method.js';
import type { World } from './world.js';

const discover: Method = (_params, { world }) => ({
  supportedVersions: world.revisions,
  capabilities: capabilitiesOf(world, 'modern'),
  ...(world.options.instructions === undefined ? {} : { instructions: world.options.instructions }),
});

const honoured = (world: World, asked: JsonObject): JsonObject => {
  const capabilities = capabilitiesOf(world, 'modern');
  const declares = (feature: string, flag: string): boolean =>
    isObject(capabilities[feature]) && capabilities[feature][flag] === true;
  const uris = asked['resourceSubscriptions'];
  return {
    ...(asked['toolsListChanged'] === true && declares('tools', 'listChanged') ? { toolsListChanged: true } : {}),
    ...(asked['promptsListChanged'] === true && declares('prompts', 'listChanged') ? { promptsListChanged: true } : {}),
    ...(asked['resourcesListChanged'] === true && declares('resources', 'listChanged')
      ? { resourcesListChanged: true }
      : {}),
    ...(Array.isArray(uris) && declares('resources', 'subscribe') ? { resourceSubscriptions: uris } : {}),
    ...(Array.isArray(asked['taskIds']) && isObject(capabilities['extensions']) ? { taskIds: asked['taskIds'] } : {}),
  };
};

/** Stays open until the client leaves or the server ends it in good order. */
const listen: Method = async (params, { world, exchange, request }) => {
  const asked = params['notifications'];
  if (!isObject(asked)) throw new RpcError(INVALID_PARAMS, 'notifications is required');
  const filter = honoured(world, asked);
  const meta = { [META.subscriptionId]: request.id };
  exchange.send(notification('notifications/subscriptions/acknowledged', { _meta: meta, notifications: filter }));
  const counted = world.counters.countStream();
  let remove: (() => void) | undefined;
  try {
    await new Promise<void>((resolve) => {
      remove = world.subscriptions.add({ id: request.id, filter, send: exchange.send, finish: resolve });
      if (exchange.signal.aborted) resolve();
      else exchange.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    remove?.();
    counted();
  }
  return { _meta: meta };
};

export const modernMethods: MethodTable = { 'server/discover': discover, 'subscriptions/listen': listen };
