import { open } from 'node:fs/promises';
import { hasErrorCode } from '@plugboard/base';

interface LogFile {
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** Windows flushes only what may be written. */
const openLog = (path: string): Promise<LogFile> => open(path, 'r+');

/**
 * Writes the write-ahead log of a SQLite file through to the disk. SQLite does this itself at `synchronous = full`, but on the
 * event loop: every caller of the hub waits for the disk then. Here a thread of the runtime waits for it.
 *
 * The handle stays open until the store closes. SQLite deletes or replaces the log only after the last connection is closed, and it
 * takes no locks on this file that closing the handle could release.
 */
export class WriteAheadFlush {
  readonly #path: string;
  readonly #open: typeof openLog;
  #file: Promise<LogFile> | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #isClosed = false;

  constructor(databaseFile: string, openFile = openLog) {
    this.#path = `${databaseFile}-wal`;
    this.#open = openFile;
  }

  /** Resolves when everything that was committed before this call survives a power loss. One flush serves all that wait for it. */
  flush(): Promise<void> {
    if (this.#running === undefined) return this.#start();
    // What is running may have begun before the last commit.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#next?.catch(() => undefined);
    await this.#running?.catch(() => undefined);
    await this.#release();
  }

  #start(): Promise<void> {
    const running = this.#flushNow().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #flushNow(): Promise<void> {
    this.#file ??= this.#open(this.#path);
    try {
      const file = await this.#file;
      await file.datasync();
      // a write that ended while the store was closing
      if (this.#isClosed) await this.#release();
    } catch (thrown) {
      await this.#release();
      // A file system without shared memory has no such log, and SQLite waits for the disk itself.
      if (!hasErrorCode(thrown, 'ENOENT')) throw thrown;
    }
  }

  async #release(): Promise<void> {
    const opened = this.#file;
    this.#file = undefined;
    const file = await opened?.catch(() => undefined);
    await file?.close();
  }
}
