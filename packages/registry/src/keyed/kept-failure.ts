import { type KeptFailure, PlugboardError, toPlugboardError } from '@plugboard/contract';

export const toKeptFailure = (thrown: unknown): KeptFailure => {
  const { code, message, hint } = toPlugboardError(thrown);
  return { code, message, ...(hint === undefined ? {} : { hint }) };
};

export const failureFrom = ({ code, message, hint }: KeptFailure): Error => new PlugboardError(code, message, { hint });
