import { openConversation } from './crew.js';
import type { Ground } from './ground.js';

/** How a line fails to open when nobody listens any more. A server that is merely busy, or limits its callers, is not gone. */
const NOBODY = 'connection refused';

/** Whether the server ended during the run: the program by itself, or behind a URL so that nobody listens there. */
export const isGone = async (ground: Ground): Promise<boolean> => {
  if (ground.shared !== undefined) return ground.shared.line.hasEnded === true;
  try {
    const { line } = await openConversation(ground);
    await line.close();
    return false;
  } catch (error) {
    return error instanceof Error && error.message.includes(NOBODY);
  }
};
