import { isModernRevision } from '../definition/era.js';
import { notification, type JsonObject } from '../json-rpc/message.js';
import type { Session } from '../state/session.js';
import type { World } from './world.js';

/** The clients that went through initialize. */
export const legacySessions = ({ sessions }: World): readonly Session[] =>
  sessions.all.filter(({ protocolVersion }) => protocolVersion !== undefined && !isModernRevision(protocolVersion));

/** A notification outside any request: to legacy clients as it is, to modern ones by their subscriptions. */
export const announce = (world: World, method: string, params: JsonObject = {}): void => {
  const updated = method === 'notifications/resources/updated' ? String(params['uri']) : undefined;
  for (const session of legacySessions(world)) {
    if (updated === undefined || session.subscriptions.has(updated)) session.send(notification(method, params));
  }
  world.subscriptions.publish(method, params);
};
