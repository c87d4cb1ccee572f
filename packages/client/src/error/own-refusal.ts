import type { PlugboardError } from '@plugboard/contract';

/** Marks a refusal by our own limits. It is not retried: that would only move the load. */
export const refusedByUs = { refused_by: 'plugboard' } as const;

export const isRefusedByUs = ({ details }: PlugboardError): boolean =>
  details?.['refused_by'] === refusedByUs.refused_by;

/** Marks a refusal during a pause that the server asked for. Nothing was sent, so it does not count as an attempt. */
export const notSent = { not_sent: true } as const;

export const wasNotSent = ({ details }: PlugboardError): boolean => details?.['not_sent'] === notSent.not_sent;
