import { isJsonObject } from '@plugboard/base';

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** A message without members that JSON-RPC does not define: clients that add some are tolerated. */
export const withKnownMembers = (message: unknown): unknown => {
  if (Array.isArray(message)) return message.map(withKnownMembers);
  if (!isJsonObject(message)) return message;
  return Object.fromEntries(Object.entries(message).filter(([member]) => MEMBERS.has(member)));
};
