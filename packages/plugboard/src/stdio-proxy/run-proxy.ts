import { serveLines, type StdioStreams } from '@plugboard/gateway';
import type { HubEndpointOptions } from './hub-endpoint.js';
import { StdioProxy } from './stdio-proxy.js';

export interface RunProxyOptions extends HubEndpointOptions, StdioStreams {
  readonly signal: AbortSignal;
}

/** Serves the client at the other end of two pipes with a running hub, until one of them ends or the signal aborts. */
export const runProxy = ({ input, output, signal, ...options }: RunProxyOptions): Promise<void> =>
  serveLines({ input, output }, (lines) => new StdioProxy({ ...options, lines }), signal);
