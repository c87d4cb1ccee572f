import { content, offered } from './offered.js';
import { notifications, serverRequests } from './from-server.js';
import { results } from './result.js';
import { type Shapes, anyObject, anything, named, object, only, text, whole, type Shape } from './shape.js';

/** Every definition of a revision, by the name that its specification gives it. */
export const definitionsOf = (revision: string): Shapes => ({
  ...envelope(revision),
  ...offered(revision),
  ...content(revision),
  ...results(revision),
  ...notifications(revision),
  ...serverRequests(revision),
});

const id: Shape = { type: ['string', 'integer'] };
const jsonrpc = only('2.0');

/** JSON-RPC itself, as each revision narrows it. */
const envelope = (revision: string): Shapes => {
  const error = object({ code: whole, message: text }, { data: anything });
  // From 2025-11-25 on, an error that answers something unreadable may go without an id.
  const answered: Shapes = revision >= '2025-11-25' ? { jsonrpc, error } : { jsonrpc, error, id };
  return {
    RequestId: id,
    JSONRPCRequest: object({ jsonrpc, id, method: text }, { params: anyObject }),
    JSONRPCNotification: object({ jsonrpc, method: text }, { params: anyObject }),
    JSONRPCResultResponse: object({ jsonrpc, id, result: revision >= '2026-07-28' ? named('EmptyResult') : anyObject }),
    JSONRPCErrorResponse: object(answered, { id }),
  };
};
