import { anySignal } from '../../connection/any-signal.js';
import type { Conversation } from '../call/conversation.js';
import type { HeldStream } from '../line/held-stream.js';
import { StreamWatch } from '../line/stream-watch.js';
import { pause } from '../../connection/deadline.js';
import type { Ground } from './ground.js';

/** A stream that is held, with what came on it. */
export interface Held {
  readonly conversation: Conversation;
  readonly watch: StreamWatch;
  readonly stream: HeldStream;
}

/** Opens the listening stream of a conversation; undefined when the server offers none. */
export const holdStream = async (
  { deadlineMs, signal }: Ground,
  conversation: Conversation,
  watch = new StreamWatch(),
): Promise<Held | undefined> => {
  const stream = conversation.line.listen?.(watch);
  if (stream === undefined) return undefined;
  const isOver = new AbortController();
  const head = await Promise.race([
    watch.opened,
    pause(deadlineMs, anySignal(signal, isOver.signal)).then(() => undefined),
  ]);
  isOver.abort();
  if (head?.isStream === true && head.status === 200) return { conversation, watch, stream };
  stream.close();
  return undefined;
};

/** The listening streams of these conversations, as far as the server offers them. */
export const holdStreams = async (ground: Ground, conversations: readonly Conversation[]): Promise<readonly Held[]> => {
  const held = await Promise.all(conversations.map((conversation) => holdStream(ground, conversation)));
  return held.filter((one) => one !== undefined);
};
