import { isObject } from '../../json-rpc/message.js';
import type { FaultKind, ProxyFault } from './proxy-fault.js';

/** The faults of single messages, over every transport. */
export const MESSAGE: readonly FaultKind[] = ['wrong-id', 'duplicate-response', 'late-response'];

/** No request has it. */
export const WRONG_ID = 987_654_321;

export const GARBAGE = '<html>502 Bad Gateway \u0000 {"jsonrpc": "2.0", "id": ';

export interface ChangedAnswer {
  readonly texts: readonly string[];
  readonly waitMs: number;
}

const parse = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

export const isAnswer = (text: string): boolean => {
  const message = parse(text);
  return message !== undefined && !('method' in message) && 'id' in message;
};

/** The id of a request; undefined for everything else. */
export const requestIdOf = (text: string): unknown => {
  const message = parse(text);
  return message !== undefined && 'method' in message ? message['id'] : undefined;
};

export const answerIdOf = (text: string): unknown => (isAnswer(text) ? parse(text)?.['id'] : undefined);

/** What a fault of single messages makes of an answer. */
export const changeAnswer = (text: string, fault: ProxyFault): ChangedAnswer => {
  switch (fault.kind) {
    case 'wrong-id':
      return { texts: [JSON.stringify({ ...parse(text), id: WRONG_ID })], waitMs: 0 };
    case 'duplicate-response':
      return { texts: [text, text], waitMs: 0 };
    case 'late-response':
      return { texts: [text], waitMs: fault.ms };
    default:
      return { texts: [text], waitMs: 0 };
  }
};
