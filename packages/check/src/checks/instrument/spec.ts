import type { CheckSource } from '@plugboard/contract';

const SITE = 'https://modelcontextprotocol.io/specification';

/** A sentence of the specification: `spec('2025-11-25', 'basic/lifecycle#initialization', '…')`. */
export const spec = (revision: string, page: string, sentence: string): CheckSource => ({
  sentence,
  url: `${SITE}/${revision}/${page}`,
});

export const jsonRpc = (anchor: string, sentence: string): CheckSource => ({
  sentence,
  url: `https://www.jsonrpc.org/specification#${anchor}`,
});
