import { buildNotification, isJsonObject, type JsonObject } from '@plugboard/wire';
import type { ReplyChannel } from '../../call/mcp-call.js';

type ProgressListener = (progress: unknown, params: JsonObject) => void;

const tokenIn = (params: JsonObject): string | number | undefined => {
  const meta = params['_meta'];
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
};

/**
 * The server gets a token of ours, unique on its connection; the client hears of its own. Undefined when the client gave
 * no token, for then it must not hear of progress.
 */
export const progressRelay = (
  params: JsonObject,
  reply: () => ReplyChannel | undefined,
): ProgressListener | undefined => {
  const token = tokenIn(params);
  if (token === undefined) return undefined;
  return (_progress, told) =>
    reply()?.notify(buildNotification('notifications/progress', { ...told, progressToken: token }));
};

/** Progress must grow: the steps of a wait are small enough for anything that the server tells later to be more. */
const WAIT_STEP = 1e-6;

/** Tells a client that its call waits because the server asked for a pause. Undefined when the client gave no token. */
export const waitRelay = (
  params: JsonObject,
  reply: () => ReplyChannel | undefined,
): ((leftMs: number) => void) | undefined => {
  const token = tokenIn(params);
  if (token === undefined) return undefined;
  let told = 0;
  return (leftMs) => {
    told += 1;
    const message = `The server asked for a pause: ${Math.ceil(leftMs / 1000)} s left.`;
    reply()?.notify(
      buildNotification('notifications/progress', { progressToken: token, progress: told * WAIT_STEP, message }),
    );
  };
};
