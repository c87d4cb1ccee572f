import type { ReplyChannel } from '../../call/mcp-call.js';
import { renameNotification, toHandle } from './relay-task.js';
import type { TaskRecord } from './task-ledger.js';

/** The progress of a task: its token is good for as long as the task is, not only until its call is answered. */
export class TaskProgress {
  readonly over = new AbortController();
  #way: () => ReplyChannel | undefined;
  #followed = false;

  constructor(reply: ReplyChannel) {
    this.#way = () => reply;
  }

  get progressUntil(): AbortSignal {
    return this.over.signal;
  }

  readonly reply = (): ReplyChannel | undefined => this.#way();

  /** The call was answered: from now on the client is told where it waits for the result, or outside any request. */
  follow(record: TaskRecord): void {
    this.#followed = true;
    this.#way = () => {
      const channel = record.waiting ?? record.session?.channel;
      return (
        channel && { notify: (notification) => channel.notify(renameNotification(notification, toHandle(record))) }
      );
    };
  }

  /** It became no task. */
  endUnlessFollowed(): void {
    if (!this.#followed) this.over.abort();
  }
}
