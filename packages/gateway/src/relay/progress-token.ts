import { buildNotification, isJsonObject, type JsonObject } from '@plugboard/wire';
import type { ReplyChannel } from '../call/mcp-call.js';

type ProgressListener = (progress: unknown, params: JsonObject) => void;

/**
 * The server gets a token of ours, unique on its connection; the client hears of its own. Undefined when the client gave
 * no token, for then it must not hear of progress.
 */
export const progressRelay = (
  params: JsonObject,
  reply: () => ReplyChannel | undefined,
): ProgressListener | undefined => {
  const meta = params['_meta'];
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined;
  if (typeof token !== 'string' && typeof token !== 'number') return undefined;
  return (_progress, told) =>
    reply()?.notify(buildNotification('notifications/progress', { ...told, progressToken: token }));
};
