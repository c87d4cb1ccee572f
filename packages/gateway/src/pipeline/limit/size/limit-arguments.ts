import { PlugboardError } from '@plugboard/contract';
import type { McpCall } from '../../../call/mcp-call.js';
import type { CallStep } from '../../../call/step.js';
import { surelyFits } from './surely-fits.js';

/** Arguments are a part of the message they came with: to write a large one only to measure it takes milliseconds. */
const fitsWithMessage = ({ bodyBytes, params, route }: McpCall, limit: number): boolean =>
  bodyBytes !== undefined &&
  bodyBytes <= limit &&
  route?.kind === 'upstream' &&
  route.params['arguments'] === params['arguments'];

const exceeds = (value: unknown, limit: number): number | undefined => {
  if (surelyFits(value, limit)) return undefined;
  const size = Buffer.byteLength(JSON.stringify(value) ?? '');
  return size > limit ? size : undefined;
};

/** Refuses arguments that are larger than a server should have to read. */
export const limitArguments =
  (maxBytes: number): CallStep =>
  (call, next) => {
    const { route } = call;
    // What was sent on the fast path was measured there.
    if (call.sent !== undefined || route?.kind !== 'upstream' || call.method !== 'tools/call') return next(call);
    if (fitsWithMessage(call, maxBytes)) return next(call);
    const size = exceeds(route.params['arguments'], maxBytes);
    if (size === undefined) return next(call);
    return Promise.reject(
      new PlugboardError('PAYLOAD_TOO_LARGE', `The arguments have ${size} bytes. The limit is ${maxBytes}.`, {
        hint: 'Send less, or a reference instead of the content. An operator can raise guard.maxArgumentBytes.',
        details: { bytes: size, limit: maxBytes },
      }),
    );
  };
