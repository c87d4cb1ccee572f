import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { INVALID_PARAMS, RpcError } from '../json-rpc/rpc-error.js';

export type Answers = Readonly<Record<string, JsonObject>>;

const sign = (payload: string, key: Uint8Array): Buffer => createHmac('sha256', key).update(payload).digest();

const refuse = (): never => {
  throw new RpcError(INVALID_PARAMS, 'Invalid requestState');
};

/** The answers so far, sealed for the client to carry; bound to the method and the name that it called. */
export const sealState = (subject: string, answers: Answers, key: Uint8Array): string => {
  const payload = Buffer.from(JSON.stringify({ subject, answers })).toString('base64url');
  return `${payload}.${sign(payload, key).toString('base64url')}`;
};

export const openState = (subject: string, state: unknown, key: Uint8Array): Answers => {
  if (state === undefined) return {};
  if (typeof state !== 'string') return refuse();
  const [payload = '', signature = ''] = state.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(payload, key);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return refuse();
  const opened: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  if (!isObject(opened) || opened['subject'] !== subject || !isObject(opened['answers'])) return refuse();
  return opened['answers'] as Answers;
};
