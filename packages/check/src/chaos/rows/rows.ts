import type { FaultRow } from './fault-row.js';
import { HTTP_ROWS } from './http-rows.js';
import { JSON_RPC_ROWS } from './json-rpc-rows.js';
import { STDIO_ROWS } from './stdio-rows.js';
import { TCP_ROWS } from './tcp-rows.js';

/** Every row of the fault suite, from the wire upwards. */
export const FAULT_ROWS: readonly FaultRow[] = [...TCP_ROWS, ...HTTP_ROWS, ...STDIO_ROWS, ...JSON_RPC_ROWS];
