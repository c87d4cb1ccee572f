import type { ClientEvent } from '@plugboard/client';
import type { Logger } from '../log/logger.js';

/** Which session it is, once there was one before. */
const repeated = ({ generation }: { readonly generation: number }) => (generation > 1 ? { generation } : {});

/** The life of connections to servers, at the level debug. What an operator must know has lines of its own. */
export const noteClientEvent = (log: Logger, server: string, event: ClientEvent): void => {
  if (log.isEnabled?.('debug') !== true) return;
  const note = (message: string, fields: Readonly<Record<string, unknown>>): void =>
    log.debug?.(message, { server, ...fields });
  switch (event.type) {
    case 'session-opened': {
      const { era, revision, transport } = event.protocol;
      note('Session opened.', { era, revision, transport, ...repeated(event) });
      break;
    }
    case 'session-lost':
      note('Session lost.', { code: event.error.code, ...repeated(event) });
      break;
    case 'transport-fallback':
      note('Another transport is tried.', { from: event.from, to: event.to });
      break;
    case 'retry':
      note('A request is sent again.', { method: event.method, attempt: event.attempt, code: event.error.code });
      break;
    case 'noise':
      note('The server sent something that is not a message.', { bytes: Buffer.byteLength(event.text) });
      break;
    case 'tool-rejected':
      note('A tool cannot be called over this transport.', { tool: event.tool, reason: event.reason });
      break;
  }
};
