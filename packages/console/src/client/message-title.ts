import { isJson, textIn } from '../api/json.js';

const MAX_TITLE = 80;

/** What a message of JSON-RPC is, in a line: `tools/call #3`, `answer to #3`. */
export const messageTitle = (message: object): string => {
  if (!isJson(message)) return 'message';
  const { id, method, error } = message;
  const number = typeof id === 'string' || typeof id === 'number' ? `#${id}` : '';
  const name = textIn(method);
  const title = name === '' ? `${error === undefined ? 'answer' : 'error'} to ${number}` : `${name} ${number}`;
  return title.trim().slice(0, MAX_TITLE);
};
