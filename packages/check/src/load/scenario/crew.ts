import { AnswerJudge } from '../call/answer-judge.js';
import { CallText, type LoadCall } from '../call/call-text.js';
import { Conversation } from '../call/conversation.js';
import { Caller } from '../generator/caller.js';
import { openLine } from '../line/open-line.js';
import type { Ground } from './ground.js';

/** How many conversations are opened at the same time. */
const AT_ONCE = 20;

/** Callers with the conversations that they call in. */
export interface Crew {
  readonly callers: readonly Caller[];
  /** Those that the callers do not share with others. */
  readonly conversations: readonly Conversation[];
  readonly attempted: number;
  /** Why conversations could not be opened. */
  readonly refusals: readonly string[];
  close(): Promise<void>;
}

/** A conversation of its own; over stdio a process of its own. */
export const openConversation = async (ground: Ground): Promise<Conversation> => {
  const conversation = new Conversation(ground.violations);
  conversation.line = await openLine(ground.link, ground.era, (message) => conversation.stray(message));
  return conversation;
};

export const callerOf = (ground: Ground, call: LoadCall, conversation: Conversation): Caller => {
  const { canaries, deadlineMs } = ground;
  const judge = new AnswerJudge({ ...ground, call });
  const text = new CallText(call, conversation.line);
  return new Caller({ conversation, text, judge, canaries, deadlineMs, progress: call.progress });
};

const openSeveral = async (ground: Ground, size: number) => {
  const conversations: Conversation[] = [];
  const refusals: string[] = [];
  let left = size;
  const work = async (): Promise<void> => {
    while (left > 0 && !ground.signal.aborted) {
      left -= 1;
      await openConversation(ground).then(
        (conversation) => conversations.push(conversation),
        (error: unknown) => refusals.push(error instanceof Error ? error.message : String(error)),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, size) }, work));
  return { conversations, refusals };
};

/** Callers of this call: over HTTP each with a session and a connection, over stdio all with the shared program. */
export const openCrew = async (ground: Ground, size: number, call = ground.call): Promise<Crew> => {
  const { shared } = ground;
  if (shared !== undefined) {
    const callers = Array.from({ length: size }, () => callerOf(ground, call, shared));
    return { callers, conversations: [], attempted: size, refusals: [], close: async () => undefined };
  }
  const { conversations, refusals } = await openSeveral(ground, size);
  return {
    callers: conversations.map((conversation) => callerOf(ground, call, conversation)),
    conversations,
    attempted: size,
    refusals,
    close: async () => {
      await Promise.allSettled(conversations.map(({ line }) => line.close()));
    },
  };
};

/** Opens a crew, works with it and closes it, whatever happens. */
export const withCrew = async <T>(
  ground: Ground,
  size: number,
  work: (crew: Crew) => Promise<T>,
  call = ground.call,
): Promise<T> => {
  const crew = await openCrew(ground, size, call);
  try {
    return await work(crew);
  } finally {
    await crew.close();
  }
};
