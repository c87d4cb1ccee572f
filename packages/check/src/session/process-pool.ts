import { anySignal } from '../connection/any-signal.js';
import { Mailbox } from '../connection/mailbox.js';
import { pause } from '../connection/deadline.js';
import type { JsonObject } from '../connection/json.js';
import type { Channel } from './channel.js';
import { ChannelSession, type Opened } from './channel-session.js';
import { answers, enveloped, requestMessage } from './envelope.js';
import type { Link } from './link.js';
import { openSession } from './open-session.js';
import { LATEST } from './revision.js';
import type { Session, SessionOptions } from './session.js';
import { stdioChannel } from './stdio-channel.js';

/** How many processes wait for a next check; more are needed only by checks that hold several at once. */
const MAX_IDLE = 6;
const FENCE_MS = 3_000;

/** A process whose last conversation ended in good order. */
interface Idle {
  readonly process: Process;
  readonly opened: Opened;
  /** False when it did not answer any more. */
  readonly settled: Promise<boolean>;
}

interface Process {
  readonly like: string;
  readonly channel: Channel;
  /** Ends it at once. */
  readonly end: () => Promise<void>;
}

export interface Lease {
  readonly session: Session;
  /** Another check has spoken to the process before. */
  readonly reused: boolean;
}

/** Legacy conversations are alike when their handshakes are; a modern server keeps nothing between requests. */
const likenessOf = ({ era, revision = LATEST[era], capabilities, clientInfo }: SessionOptions): string =>
  era === 'modern' ? era : JSON.stringify([revision, capabilities ?? {}, clientInfo ?? null]);

/** The channel for one conversation: it sees what comes from now on. */
const asNew = (channel: Channel): Channel & { readonly leave: () => void } => {
  const base = channel.inbox.items.length;
  const inbox = new Mailbox<JsonObject>();
  const leave = channel.inbox.subscribe(
    (message) => inbox.put(message),
    (why) => inbox.end(why),
    base,
  );
  return {
    transport: channel.transport,
    connection: channel.connection,
    inbox,
    textSince: (position, isForeign) => channel.textSince(base + position, isForeign),
    post: (text, headers) => channel.post(text, headers),
    write: (data) => channel.write?.(data),
    get death() {
      return channel.death;
    },
    get notStarted() {
      return channel.notStarted;
    },
    recipe: (lines) => channel.recipe(lines),
    close: () => channel.close(),
    leave,
  };
};

/**
 * Starting a program is what a run over stdio spends its time with, so a process goes from check to check as long as each
 * leaves it as it was. What a check finds on a used process counts only when a fresh one shows the same.
 */
export class ProcessPool {
  readonly #link: Link;
  #idle: Idle[] = [];
  #isClosed = false;

  constructor(link: Link) {
    this.#link = link;
  }

  /** A conversation on a process that waits, or on a new one. */
  async open(link: Link, options: SessionOptions): Promise<Lease> {
    if (link.place.transport !== 'stdio' || options.unopened === true) {
      return { session: await openSession(link, options), reused: false };
    }
    const like = likenessOf(options);
    const waiting = options.fresh === true ? undefined : await this.#take(like);
    const process = waiting?.process ?? this.#start(like);
    const lent = asNew(process.channel);
    const session = new LentSession(link, lent, options, async () => {
      lent.leave();
      await this.#giveBack(process, session);
    });
    if (waiting !== undefined) session.resume(waiting.opened);
    // A modern client introduces itself with every request: it may be another one than the last.
    if (waiting !== undefined && options.era === 'legacy') return { session, reused: true };
    try {
      return { session: await session.open(), reused: waiting !== undefined };
    } catch (error) {
      lent.leave();
      await process.end();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = this.#idle;
    this.#idle = [];
    await Promise.allSettled(idle.map(({ process }) => process.end()));
  }

  #start(like: string): Process {
    const ending = new AbortController();
    // Of the run, not of the check that starts it: the process outlives the check.
    const signal = anySignal(this.#link.signal, ending.signal);
    const channel = stdioChannel({ ...this.#link, signal });
    const end = async (): Promise<void> => {
      ending.abort();
      await channel.close();
    };
    return { like, channel, end };
  }

  async #take(like: string): Promise<Idle | undefined> {
    for (;;) {
      const found = this.#idle.find(({ process }) => process.like === like);
      if (found === undefined) return undefined;
      this.#idle = this.#idle.filter((idle) => idle !== found);
      if ((await found.settled) && found.process.channel.inbox.ended === undefined) return found;
      await found.process.end();
    }
  }

  async #giveBack(process: Process, session: ChannelSession): Promise<void> {
    const opened = session.resumable;
    if (opened === undefined || this.#isClosed || this.#link.signal.aborted) return await process.end();
    const id = opened.lastId + 1;
    const settled = this.#settles(process.channel, id, session).catch(() => false);
    this.#idle.push({ process, opened: { ...opened, lastId: id }, settled });
    if (this.#idle.length > MAX_IDLE) await this.#idle.shift()?.process.end();
  }

  /** A request of our own comes back after what was sent before it; a short silence follows. */
  async #settles(channel: Channel, id: number, { era, revision }: ChannelSession): Promise<boolean> {
    const method = era === 'legacy' ? 'ping' : 'server/discover';
    const from = channel.inbox.items.length;
    await channel.post(JSON.stringify(requestMessage(id, method, enveloped(undefined, { era, revision }, {}))));
    const deadline = { ms: FENCE_MS, what: 'answer between two checks', signal: this.#link.signal };
    const isAnswer = (message: JsonObject): true | undefined => (answers(message, id) ? true : undefined);
    const answered = await channel.inbox.until(isAnswer, from, deadline);
    await pause(this.#link.budgets.quietMs, this.#link.signal);
    return answered === true;
  }
}

/** Closing it gives the process back. */
class LentSession extends ChannelSession {
  readonly #giveBack: () => Promise<void>;

  constructor(link: Link, channel: Channel, options: SessionOptions, giveBack: () => Promise<void>) {
    super(link, channel, options);
    this.#giveBack = giveBack;
  }

  override async close(): Promise<void> {
    await this.#giveBack();
  }
}
