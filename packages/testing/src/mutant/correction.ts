import { MODERN_REVISIONS, type Eras } from '../definition/era.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { META } from '../json-rpc/meta-key.js';
import { INVALID_PARAMS, UNSUPPORTED_VERSION } from '../json-rpc/rpc-error.js';

/** What the reference answers by itself where the fake is more lenient than a model server should be. */
export interface Correction {
  readonly error: JsonObject;
  readonly httpStatus: number;
}

const isModern = (params: JsonObject): boolean => isObject(params['_meta']) && META.protocolVersion in params['_meta'];

export const correct = (message: JsonObject, eras: Eras): Correction | undefined => {
  if (message['method'] !== 'initialize' || !('id' in message)) return undefined;
  const params = isObject(message['params']) ? message['params'] : {};
  if (isModern(params)) return undefined;
  if (eras === 'modern') {
    const data = { supported: MODERN_REVISIONS, requested: params['protocolVersion'] };
    const text = `Unsupported protocol version; supported: ${MODERN_REVISIONS.join(', ')}`;
    return { error: { code: UNSUPPORTED_VERSION, message: text, data }, httpStatus: 400 };
  }
  const missing = ['capabilities', 'clientInfo'].find((name) => !isObject(params[name]));
  if (missing === undefined) return undefined;
  return { error: { code: INVALID_PARAMS, message: `${missing} is required` }, httpStatus: 200 };
};
