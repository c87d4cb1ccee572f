import type { ErrorCode, PlugboardError } from '@plugboard/contract';

/** The contract is loaded only when something fails: its schemas would double the time that a fake process starts in. */
export const kitFailure = async (code: ErrorCode, message: string, hint: string): Promise<PlugboardError> => {
  const contract = await import('@plugboard/contract');
  return new contract.PlugboardError(code, message, { hint });
};
