import type { JsonRpcMessage } from '../envelope/json-rpc.js';

/** One message as one line. JSON.stringify never writes a raw line break, so the frame cannot be broken from inside. */
export const encodeLine = (message: JsonRpcMessage | readonly JsonRpcMessage[]): string =>
  `${JSON.stringify(message)}\n`;
