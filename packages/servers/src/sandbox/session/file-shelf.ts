import { FILE_NAME_RULE, isFileName } from '../isolate/file-name.js';
import { SandboxError } from '../sandbox-error.js';
import { newCapability } from './capability.js';
import type { StoredFile } from './stored-file.js';

export interface FileShelfOptions {
  readonly fileBytes: number;
  /** Of one session. */
  readonly filesBytes: number;
  readonly fileCount: number;
  /** Of all clients together. */
  readonly totalBytes: number;
  readonly idleMs: number;
  readonly now: () => number;
}

interface Entry {
  readonly file: StoredFile;
  usedAt: number;
}

export type NewFile = Omit<StoredFile, 'handle'>;

/** Files by handle. Those of a session go with it; others expire when they are not used. */
export class FileShelf {
  readonly #options: FileShelfOptions;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(options: FileShelfOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  put(file: NewFile): StoredFile {
    this.sweep();
    if (!isFileName(file.name)) throw new SandboxError('FILE_INVALID', FILE_NAME_RULE);
    const replaced = file.sessionId === undefined ? undefined : this.#named(file.sessionId, file.name);
    this.#checkRoom(file, replaced);
    if (replaced !== undefined) this.drop(replaced.handle);
    const stored: StoredFile = { ...file, handle: newCapability('file') };
    this.#entries.set(stored.handle, { file: stored, usedAt: this.#options.now() });
    this.#bytes += stored.bytes.byteLength;
    return stored;
  }

  get(handle: string, owner: string | undefined): StoredFile {
    this.sweep();
    const entry = this.#entries.get(handle);
    if (entry === undefined || (entry.file.owner !== undefined && entry.file.owner !== owner)) {
      throw new SandboxError('FILE_NOT_FOUND');
    }
    entry.usedAt = this.#options.now();
    return entry.file;
  }

  ofSession(sessionId: string): readonly StoredFile[] {
    return [...this.#entries.values()]
      .map(({ file }) => file)
      .filter((file) => file.sessionId === sessionId)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  drop(handle: string): void {
    const entry = this.#entries.get(handle);
    if (entry === undefined) return;
    this.#entries.delete(handle);
    this.#bytes -= entry.file.bytes.byteLength;
  }

  dropSession(sessionId: string): void {
    for (const { handle } of this.ofSession(sessionId)) this.drop(handle);
  }

  /** Files of sessions live as long as their session does. */
  sweep(): void {
    const before = this.#options.now() - this.#options.idleMs;
    for (const [handle, { file, usedAt }] of this.#entries) {
      if (file.sessionId === undefined && usedAt < before) this.drop(handle);
    }
  }

  #named(sessionId: string, name: string): StoredFile | undefined {
    return this.ofSession(sessionId).find((file) => file.name === name);
  }

  #checkRoom(file: NewFile, replaced: StoredFile | undefined): void {
    const { fileBytes, filesBytes, fileCount, totalBytes } = this.#options;
    const added = file.bytes.byteLength - (replaced?.bytes.byteLength ?? 0);
    if (file.bytes.byteLength > fileBytes) {
      throw new SandboxError('FILE_LIMIT', `A file may have at most ${fileBytes} bytes.`);
    }
    if (this.#bytes + added > totalBytes) throw new SandboxError('FILE_LIMIT');
    if (file.sessionId === undefined) return;
    const kept = this.ofSession(file.sessionId);
    if (kept.reduce((sum, { bytes }) => sum + bytes.byteLength, added) > filesBytes) {
      throw new SandboxError('FILE_LIMIT', `The files of a session may have at most ${filesBytes} bytes.`);
    }
    if (replaced === undefined && kept.length >= fileCount) {
      throw new SandboxError('FILE_LIMIT', `A session may have at most ${fileCount} files.`);
    }
  }
}
