import { McpProtocolError } from '@plugboard/client';

/** A server answered, but not as the protocol demands. */
export const protocolFault = (message: string): McpProtocolError =>
  new McpProtocolError('UPSTREAM_PROTOCOL', message, { delivery: 'answered' });
