import { hasLiveMember } from './linux-process-table.js';

/**
 * Sends a signal to every process of a group; false when there is none left.
 * A child is started as the leader of a group of its own, so its pid is the group's id.
 */
export const signalGroup = (groupId: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    // Windows has no groups: there only the leader can be ended.
    process.kill(process.platform === 'win32' ? groupId : -groupId, signal);
    return true;
  } catch (thrown) {
    // EPERM: members exist but are not ours to signal (macOS also says so of zombies).
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Members that wait for a parent to take note of their end (an init that does not reap) do not count as alive. */
export const isGroupAlive = async (groupId: number): Promise<boolean> => {
  if (!signalGroup(groupId, 0)) return false;
  return process.platform === 'linux' ? hasLiveMember(groupId) : true;
};
