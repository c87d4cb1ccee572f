import type { ServerResponse } from 'node:http';
import { type Edit, splice } from '@plugboard/wire';

/** Writes a JSON-RPC message as the whole answer, with one piece of it replaced if need be. */
export const writeAnswer = (response: ServerResponse, message: Buffer, edit: Edit | undefined): void => {
  if (response.destroyed || response.headersSent) return;
  const body = edit === undefined ? message : splice(message, [edit]);
  response.writeHead(200, [
    'content-type',
    'application/json',
    'cache-control',
    'no-store',
    'content-length',
    String(body.length),
  ]);
  response.end(body);
};
