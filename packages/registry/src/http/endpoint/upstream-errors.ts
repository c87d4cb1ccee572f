import { errorCodes, type ErrorCode } from '@plugboard/contract';

const OF_THE_SERVER = /^(?:UPSTREAM|PROCESS|SESSION|CIRCUIT|AMBIGUOUS)_/u;

/** Whatever may go wrong when a server is asked for something. */
export const UPSTREAM_ERRORS: readonly ErrorCode[] = [
  ...errorCodes.filter((code) => OF_THE_SERVER.test(code)),
  'STDIO_DISABLED',
  'URL_REFUSED',
  'UNRESOLVED_VARIABLES',
];
