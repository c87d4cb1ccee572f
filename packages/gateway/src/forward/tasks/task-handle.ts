import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServerId } from '@plugboard/contract';

/** Which task of which server a handle stands for. */
export interface TaskAddress {
  readonly serverId: ServerId;
  /** The id that the server gave it. */
  readonly taskId: string;
  /** The tool that began it, by the name that the endpoint uses. */
  readonly tool: string;
  /** The process that it was begun at, where there are several. */
  readonly mark?: string | undefined;
}

/** Who may use a handle, and where: it is signed, not shown. */
export interface TaskBinding {
  readonly principal: string;
  readonly scopeId: string;
}

const MAC_BYTES = 16;

const sign = (key: Uint8Array, payload: string, { principal, scopeId }: TaskBinding): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['task', payload, principal, scopeId]))
    .digest()
    .subarray(0, MAC_BYTES);

/** The same address and binding always give the same handle, so nothing has to be remembered to find the task again. */
export const sealTask = (key: Uint8Array, address: TaskAddress, binding: TaskBinding): string => {
  const { serverId, taskId, tool, mark } = address;
  const parts = [serverId, taskId, tool, ...(mark === undefined ? [] : [mark])];
  const payload = Buffer.from(JSON.stringify(parts)).toString('base64url');
  return `${payload}.${sign(key, payload, binding).toString('base64url')}`;
};

const readAddress = (payload: string): TaskAddress | undefined => {
  const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  if (!Array.isArray(value)) return undefined;
  const [serverId, taskId, tool, mark] = value as unknown[];
  return typeof serverId === 'string' && typeof taskId === 'string' && typeof tool === 'string'
    ? { serverId: serverId as ServerId, taskId, tool, ...(typeof mark === 'string' ? { mark } : {}) }
    : undefined;
};

/** The address behind a handle that was given to this very caller on this endpoint; else undefined. */
export const openTask = (key: Uint8Array, handle: string, binding: TaskBinding): TaskAddress | undefined => {
  const [payload = '', signature = '', ...rest] = handle.split('.');
  if (rest.length > 0) return undefined;
  const expected = sign(key, payload, binding);
  const given = Buffer.from(signature, 'base64url');
  // Comparing the text too: base64url has several spellings of the same bytes.
  if (given.length !== expected.length || expected.toString('base64url') !== signature) return undefined;
  return timingSafeEqual(given, expected) ? readAddress(payload) : undefined;
};
