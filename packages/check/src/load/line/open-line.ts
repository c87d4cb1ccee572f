import type { CheckEra } from '@plugboard/contract';
import type { Link } from '../../session/link.js';
import { HttpLine } from './http-line.js';
import type { LoadLine, OnStray } from './load-line.js';
import { SseLine } from './sse-line.js';
import { StdioLine } from './stdio-line.js';

/** Opens a conversation of its own for a caller: a process, a session or a stream. */
export const openLine = async (link: Link, era: CheckEra, onStray: OnStray): Promise<LoadLine> => {
  const { place, budgets } = link;
  const made =
    place.transport === 'stdio'
      ? new StdioLine(link, era, onStray)
      : place.transport === 'sse'
        ? new SseLine(link, place.url, onStray)
        : new HttpLine(link, place.url, era, onStray);
  try {
    return await made.open(Math.max(budgets.requestMs, place.transport === 'stdio' ? budgets.startMs : 0));
  } catch (error) {
    await made.close();
    throw error;
  }
};
