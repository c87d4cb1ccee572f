import { isJsonObject, type JsonObject } from '@plugboard/base';
import { META_KEY } from './meta-key.js';

/** What the modern metadata of a request or result says; members of the wrong type are left out. */
export interface ModernMeta {
  readonly protocolVersion?: string | undefined;
  readonly clientInfo?: JsonObject | undefined;
  readonly clientCapabilities?: JsonObject | undefined;
  readonly logLevel?: string | undefined;
  readonly serverInfo?: JsonObject | undefined;
  readonly subscriptionId?: string | number | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const object = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined);

/** Reads the modern `_meta` of params or of a result. Undefined when there is no `_meta` object. */
export const readModernMeta = (holder: unknown): ModernMeta | undefined => {
  if (!isJsonObject(holder) || !isJsonObject(holder['_meta'])) return undefined;
  const meta = holder['_meta'];
  const at = (name: keyof typeof META_KEY): unknown => meta[META_KEY[name]];
  const subscriptionId = at('subscriptionId');
  return {
    protocolVersion: text(at('protocolVersion')),
    clientInfo: object(at('clientInfo')),
    clientCapabilities: object(at('clientCapabilities')),
    logLevel: text(at('logLevel')),
    serverInfo: object(at('serverInfo')),
    subscriptionId: typeof subscriptionId === 'number' ? subscriptionId : text(subscriptionId),
  };
};
