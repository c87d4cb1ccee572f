/**
 * Sends a signal to every process of a group; false when there is none left.
 * A child is started as the leader of a group of its own, so its pid is the group's id.
 */
export const signalGroup = (groupId: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (thrown) {
    // EPERM: members exist but are not ours to signal (macOS also says so of zombies).
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
};
