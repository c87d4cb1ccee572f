import { isHeaderMismatch } from '@plugboard/client';
import { validateArguments } from '@plugboard/schema';
import type { JsonObject } from '@plugboard/wire';
import type { LeasedCall } from '../relay/leased-call.js';
import { UnfitArguments, unfitResult } from '../../call/unfit-arguments.js';

/**
 * The hub writes the headers that mirror parameters, so a legacy client can do nothing about them. But a value of the
 * wrong type fits in no header, and that is the client's to repair. Throws again what has another cause.
 */
export const explainHeaders = ({ call, route }: LeasedCall, thrown: unknown): JsonObject => {
  const { tool, params } = route;
  if (tool?.kind !== 'server' || !isHeaderMismatch(thrown)) throw thrown;
  const verdict = validateArguments(tool.upstreamDefinition.inputSchema ?? true, params['arguments']);
  if (verdict.ok) throw thrown;
  return unfitResult(call, new UnfitArguments(tool.name, verdict.problems));
};
