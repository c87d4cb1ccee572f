import { jsonRpcFlaw } from '../json-rpc/parse-message.js';
import { verdict, type Verdict } from './verdict.js';

const flawOf = (received: unknown): string | undefined => {
  if (typeof received !== 'string') return jsonRpcFlaw(received);
  try {
    return jsonRpcFlaw(JSON.parse(received));
  } catch {
    return 'it is not JSON';
  }
};

/** One JSON-RPC 2.0 message, as an object or as text. */
export const toBeValidJsonRpc = (received: unknown): Verdict => {
  const flaw = flawOf(received);
  return verdict(flaw === undefined, `be a valid JSON-RPC message${flaw === undefined ? '' : `: ${flaw}`}`);
};
