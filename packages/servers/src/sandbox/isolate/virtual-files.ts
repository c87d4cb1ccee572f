import { FILE_NAME_RULE, isFileName } from './file-name.js';
import type { NamedBytes } from './isolate-job.js';
import type { IsolateLimits } from './isolate-limits.js';

type FileBounds = Pick<IsolateLimits, 'fileBytes' | 'filesBytes' | 'fileCount'>;

/** The files that a run sees: a map in memory, bounded; remembers what the run changed. */
export class VirtualFiles {
  readonly #bounds: FileBounds;
  readonly #files: Map<string, Uint8Array>;
  readonly #written = new Set<string>();
  readonly #removed = new Set<string>();
  #bytes: number;

  constructor(files: readonly NamedBytes[], bounds: FileBounds) {
    this.#bounds = bounds;
    this.#files = new Map(files.map(({ name, bytes }) => [name, bytes]));
    this.#bytes = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  }

  get names(): readonly string[] {
    return [...this.#files.keys()].sort();
  }

  get written(): readonly NamedBytes[] {
    return [...this.#written].map((name) => ({ name, bytes: this.#files.get(name) ?? new Uint8Array() }));
  }

  get removed(): readonly string[] {
    return [...this.#removed];
  }

  read(name: string): Uint8Array | undefined {
    return this.#files.get(name);
  }

  /** Says what is wrong, or nothing. */
  write(name: string, bytes: Uint8Array): string | undefined {
    if (!isFileName(name)) return FILE_NAME_RULE;
    const { fileBytes, filesBytes, fileCount } = this.#bounds;
    const before = this.#files.get(name)?.byteLength;
    const total = this.#bytes - (before ?? 0) + bytes.byteLength;
    if (bytes.byteLength > fileBytes) return `A file may have at most ${fileBytes} bytes.`;
    if (total > filesBytes) return `All files together may have at most ${filesBytes} bytes.`;
    if (before === undefined && this.#files.size >= fileCount) return `There may be at most ${fileCount} files.`;
    this.#files.set(name, bytes);
    this.#bytes = total;
    this.#written.add(name);
    this.#removed.delete(name);
    return undefined;
  }

  remove(name: string): boolean {
    const bytes = this.#files.get(name);
    if (bytes === undefined) return false;
    this.#files.delete(name);
    this.#bytes -= bytes.byteLength;
    this.#written.delete(name);
    this.#removed.add(name);
    return true;
  }
}
