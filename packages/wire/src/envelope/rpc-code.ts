/** Codes of JSON-RPC itself and of the protocol's revisions, by name. */
export const RPC_CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Legacy servers: a generic failure, often "no valid session". */
  serverError: -32000,
  /** Legacy servers: session not found, or request timed out. */
  sessionNotFound: -32001,
  resourceNotFound: -32002,
  urlElicitationRequired: -32042,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const;

const MODERN_ONLY: ReadonlySet<number> = new Set([
  RPC_CODE.headerMismatch,
  RPC_CODE.missingClientCapability,
  RPC_CODE.unsupportedProtocolVersion,
]);

/** Only a server of the modern era answers with these codes. */
export const isModernOnlyCode = (code: number): boolean => MODERN_ONLY.has(code);
