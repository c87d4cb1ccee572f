import { serveLines, type StdioStreams } from '@plugboard/gateway';
import type { HubDoorOptions } from './hub-door.js';
import { StdioProxy } from './stdio-proxy.js';

export interface RunProxyOptions extends HubDoorOptions, StdioStreams {
  readonly signal: AbortSignal;
}

/** Serves the client at the other end of two pipes with a running hub, until one of them ends or the signal aborts. */
export const runProxy = ({ input, output, signal, ...door }: RunProxyOptions): Promise<void> =>
  serveLines({ input, output }, (lines) => new StdioProxy({ ...door, lines }), signal);
