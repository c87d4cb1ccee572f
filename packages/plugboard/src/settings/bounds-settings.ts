import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { openFileLimit } from './open-file-limit.js';
import { withDefaults } from './with-defaults.js';

const count = z.number().int().min(1).max(1_000_000);

/** The member `bounds` of plugboard.json. */
export const boundsFile = z
  .strictObject({
    memoryMb: z
      .number()
      .int()
      .min(128)
      .max(1024 * 1024)
      .optional()
      .describe('the hub rejects new work when it uses more memory than this; default: 1024, less on small machines'),
    messagesMb: z
      .number()
      .int()
      .min(64)
      .max(1024 * 1024)
      .optional()
      .describe(
        'the part of that for large messages in transit; default: half. Each caller or server may use a quarter of it',
      ),
    sessions: count.optional().describe('sessions of legacy clients; default: 10000'),
    sessionsPerCaller: count.optional().describe('sessions of one caller; default: 2500'),
    connections: count
      .optional()
      .describe('open client connections; default: 10000, less where the process may have fewer than 25000 files open'),
  })
  .describe('limits on what clients and servers can make the hub hold in memory');
export type BoundsFile = z.infer<typeof boundsFile>;

export interface BoundsSettings {
  readonly memoryBytes: number;
  readonly messageBytes: number;
  readonly sessions: number;
  readonly sessionsPerCaller: number;
  readonly connections: number;
}

const MIB = 1024 * 1024;
const DEFAULT_MEMORY_MIB = 1024;
/** The rest is for what becomes of messages, and for everything else. */
const MESSAGES_SHARE = 0.5;

/** The runtime dies at its heap limit, and the machine at its own: the budget stays well below both. */
const defaultMemory = (): number =>
  Math.floor(Math.min(DEFAULT_MEMORY_MIB * MIB, getHeapStatistics().heap_size_limit * 0.6, totalmem() / 2));

const MOST_CONNECTIONS = 10_000;
/** The rest is for servers, their programs and the store: strangers must not use up all of it. */
const FILES_SHARE = 0.4;

export const defaultConnections = (openFiles: number): number =>
  Math.min(MOST_CONNECTIONS, Math.max(1, Math.floor(openFiles * FILES_SHARE)));

export const DEFAULT_BOUNDS: BoundsSettings = {
  memoryBytes: defaultMemory(),
  messageBytes: Math.floor(defaultMemory() * MESSAGES_SHARE),
  sessions: 10_000,
  sessionsPerCaller: 2500,
  connections: defaultConnections(openFileLimit()),
};

export const boundsSettings = ({ memoryMb, messagesMb, ...counts }: BoundsFile = {}): BoundsSettings => {
  const memoryBytes = memoryMb === undefined ? DEFAULT_BOUNDS.memoryBytes : memoryMb * MIB;
  const messageBytes = messagesMb === undefined ? Math.floor(memoryBytes * MESSAGES_SHARE) : messagesMb * MIB;
  return withDefaults(DEFAULT_BOUNDS, { ...counts, memoryBytes, messageBytes });
};
