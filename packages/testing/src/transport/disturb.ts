import { ENDLESS_PREFIX } from '../behaviour/page.js';
import type { Fault } from '../fault/fault.js';
import type { JsonRpcResponse } from '../json-rpc/message.js';

let endless = 0;

/** The answer as the fault wants it: padded, under another id, or with one more page. */
export const disturb = (response: JsonRpcResponse, fault: Fault): JsonRpcResponse => {
  let disturbed = response;
  if (fault.endlessPages === true && disturbed.result !== undefined) {
    endless += 1;
    disturbed = { ...disturbed, result: { ...disturbed.result, nextCursor: `${ENDLESS_PREFIX}${endless}` } };
  }
  if (fault.wrongId === true) disturbed = { ...disturbed, id: `not-${String(disturbed.id)}` };
  if (fault.padTo !== undefined && disturbed.result !== undefined) {
    const short = fault.padTo - JSON.stringify(disturbed).length;
    const padding = 'é'.repeat(Math.max(0, Math.ceil(short / 2)));
    disturbed = { ...disturbed, result: { ...disturbed.result, _meta: { ...metaOf(disturbed), padding } } };
  }
  return disturbed;
};

const metaOf = (response: JsonRpcResponse): object => {
  const meta = response.result?.['_meta'];
  return typeof meta === 'object' && meta !== null ? meta : {};
};

/** Does this fault replace the whole answer? */
export const replacesAnswer = (fault: Fault): boolean =>
  fault.cut === true || fault.hang !== undefined || fault.status !== undefined || fault.body !== undefined;
