import { isErrorCode, PlugboardError, toPlugboardError, type ErrorDescription } from '@plugboard/contract';
import type { PluginRequest, PluginResponse } from './plugin.js';

export type Metadata = Readonly<Record<string, unknown>>;

/** The outcome of an action, before it is put into a response. */
export type ActionOutcome =
  | { readonly status: 'success'; readonly data: unknown }
  | { readonly status: 'partial'; readonly data: unknown; readonly error: PlugboardError }
  | { readonly status: 'error'; readonly error: PlugboardError };

const described = (error: PlugboardError): ErrorDescription => error.toJSON();

export const respond = (request: PluginRequest, outcome: ActionOutcome, metadata: Metadata = {}): PluginResponse => {
  const head = { request_id: request.request_id, timestamp: new Date().toISOString(), metadata };
  switch (outcome.status) {
    case 'success':
      return { ...head, status: 'success', data: outcome.data };
    case 'partial':
      return { ...head, status: 'partial', data: outcome.data, error: described(outcome.error) };
    case 'error':
      return { ...head, status: 'error', error: described(outcome.error) };
  }
  return outcome satisfies never;
};

/** A plug-in may bring a copy of this package of its own: its errors are known by their shape. */
const recognise = (thrown: unknown): PlugboardError => {
  if (thrown instanceof PlugboardError) return thrown;
  const foreign = thrown as Partial<PlugboardError> | null | undefined;
  if (!isErrorCode(foreign?.code) || typeof foreign.message !== 'string') return toPlugboardError(thrown);
  const { code, message, advice, hint, details, retryAfterMs } = foreign;
  return new PlugboardError(code, message, { hint: advice ?? hint, details, retryAfterMs, cause: thrown });
};

export const respondError = (request: PluginRequest, thrown: unknown, metadata: Metadata = {}): PluginResponse =>
  respond(request, { status: 'error', error: recognise(thrown) }, metadata);

export const invalidRequest = (flaws: readonly string[]): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', flaws.join(' '), {
    hint: "The plug-in's metadata lists its actions and what they need.",
  });
