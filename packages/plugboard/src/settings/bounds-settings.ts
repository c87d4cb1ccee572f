import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';

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
      .describe('memory in use beyond which new work is rejected; 1024, or less where the machine has less'),
    messagesMb: z
      .number()
      .int()
      .min(64)
      .max(1024 * 1024)
      .optional()
      .describe(
        'of that, what large messages on their way may take; half. One caller or server may take a quarter of it',
      ),
    sessions: count.optional().describe('sessions of legacy clients; 10000'),
    sessionsPerCaller: count.optional().describe('sessions of one caller; 2500'),
    connections: count.optional().describe('open connections of clients; 10000'),
  })
  .describe('how much strangers can make the hub keep at the same time');
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

export const DEFAULT_BOUNDS: BoundsSettings = {
  memoryBytes: defaultMemory(),
  messageBytes: Math.floor(defaultMemory() * MESSAGES_SHARE),
  sessions: 10_000,
  sessionsPerCaller: 2500,
  connections: 10_000,
};

const memoryOf = ({ memoryMb, messagesMb }: BoundsFile): Pick<BoundsSettings, 'memoryBytes' | 'messageBytes'> => {
  const memoryBytes = memoryMb === undefined ? DEFAULT_BOUNDS.memoryBytes : memoryMb * MIB;
  const messageBytes = messagesMb === undefined ? Math.floor(memoryBytes * MESSAGES_SHARE) : messagesMb * MIB;
  return { memoryBytes, messageBytes };
};

export const boundsSettings = (file: BoundsFile = {}): BoundsSettings => ({
  ...memoryOf(file),
  sessions: file.sessions ?? DEFAULT_BOUNDS.sessions,
  sessionsPerCaller: file.sessionsPerCaller ?? DEFAULT_BOUNDS.sessionsPerCaller,
  connections: file.connections ?? DEFAULT_BOUNDS.connections,
});
