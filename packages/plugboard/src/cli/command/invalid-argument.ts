import { PlugboardError } from '@plugboard/contract';

/** The error of a command line that cannot be carried out as it stands. */
export const invalidArgument = (message: string, hint: string): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', message, { hint });

/** Throws it, also in the middle of an expression. */
export const refuse = (message: string, hint: string): never => {
  throw invalidArgument(message, hint);
};
