import { META } from '../json-rpc/meta-key.js';
import { isObject, notification, type JsonObject, type JsonRpcId, type JsonRpcMessage } from '../json-rpc/message.js';

export interface Subscription {
  readonly id: JsonRpcId;
  readonly filter: JsonObject;
  readonly send: (message: JsonRpcMessage) => void;
  /** Ends it in good order: the listen request is answered. */
  readonly finish: () => void;
}

const FLAGS: Readonly<Record<string, string>> = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
};

const wants = (filter: JsonObject, method: string, params: JsonObject): boolean => {
  if (method === 'notifications/resources/updated') {
    const uris = filter['resourceSubscriptions'];
    return Array.isArray(uris) && uris.includes(params['uri']);
  }
  if (method === 'notifications/tasks') {
    const ids = filter['taskIds'];
    return Array.isArray(ids) && ids.includes(params['taskId']);
  }
  const flag = FLAGS[method];
  return flag !== undefined && filter[flag] === true;
};

/** The open subscriptions/listen requests of modern clients. */
export class SubscriptionTable {
  readonly #open = new Set<Subscription>();

  get size(): number {
    return this.#open.size;
  }

  add(subscription: Subscription): () => void {
    this.#open.add(subscription);
    return () => this.#open.delete(subscription);
  }

  publish(method: string, params: JsonObject): void {
    for (const { id, filter, send } of this.#open) {
      if (!wants(filter, method, params)) continue;
      const meta = isObject(params['_meta']) ? params['_meta'] : {};
      send(notification(method, { ...params, _meta: { ...meta, [META.subscriptionId]: id } }));
    }
  }

  finishAll(): void {
    for (const subscription of this.#open) subscription.finish();
  }
}
