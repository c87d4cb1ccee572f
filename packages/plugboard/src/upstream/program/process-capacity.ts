import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';
import { openFileLimit } from '../../settings/open-file-limit.js';

/** What the machine, or the container, gives this hub. */
export interface MachineRoom {
  readonly memoryBytes: number;
  /** How many files this process may have open. */
  readonly openFiles: number;
}

const MEBIBYTE = 1024 * 1024;
/** Of an idle server on Node with the official SDK; others take less or more. */
const MEMORY_PER_PROCESS = 64 * MEBIBYTE;
/** The rest is for the hub, for the system, and for servers that take more. */
const MEMORY_SHARE = 0.5;
/** Three pipes, and room for the sockets of those who call. */
const FILES_PER_PROCESS = 6;
const FILES_SHARE = 0.5;
const FEWEST = 8;

/** How many server processes there is room for. */
export const processCapacity = ({ memoryBytes, openFiles }: MachineRoom): number => {
  const byMemory = (memoryBytes * MEMORY_SHARE) / MEMORY_PER_PROCESS;
  const byFiles = (openFiles * FILES_SHARE) / FILES_PER_PROCESS;
  return Math.max(FEWEST, Math.floor(Math.min(byMemory, byFiles)));
};

/** The room that this process has now. */
export const machineRoom = (): MachineRoom => {
  // 0, or far more than there is, when nothing constrains the process.
  const constrained = constrainedMemory();
  const total = totalmem();
  return {
    memoryBytes: constrained > 0 && constrained < total ? constrained : total,
    openFiles: openFileLimit(),
  };
};
