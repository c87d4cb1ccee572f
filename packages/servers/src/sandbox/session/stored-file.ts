/** A file that is kept for a client; bytes in memory, never a path. */
export interface StoredFile {
  /** Unguessable: anyone who has it may read the file. */
  readonly handle: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly owner: string | undefined;
  readonly sessionId: string | undefined;
}
