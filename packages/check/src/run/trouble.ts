import type { Session } from '../session/session.js';
import { describe, type Answer } from '../session/answer.js';
import type { Exchange } from '../session/exchange.js';

const LISTS = [
  ['tools', 'tools/list'],
  ['resources', 'resources/list'],
  ['prompts', 'prompts/list'],
] as const;

/** Requests in good form that this server has to answer with a result. That it names its versions shows little. */
const plainRequests = ({ era, capabilities }: Session): readonly string[] => {
  const lists = LISTS.filter(([capability]) => capabilities[capability] !== undefined).map(([, method]) => method);
  if (era === 'legacy') return ['ping', ...lists];
  return lists.length === 0 ? ['server/discover'] : lists;
};

const METHOD_NOT_FOUND = -32_601;

/**
 * The control of every violation: what the server answers when it answers no request in good form with a result. What fails
 * like everything else says nothing about a rule. Undefined when the server works.
 */
export const troubleIn = async (session: Session): Promise<string | undefined> => {
  let came: Answer | undefined;
  for (const method of plainRequests(session)) {
    const answer = await session.request(method).catch(() => undefined);
    if (answer === undefined) continue;
    // A method that is missing is a defect of its own, and no trouble.
    if (answer.result !== undefined || answer.error?.code === METHOD_NOT_FOUND) return undefined;
    came = answer;
  }
  return came === undefined ? undefined : describe(came);
};

/** Codes for errors of the server itself, whatever it was asked; -32002 is one of them with a meaning of its own. */
const SERVER_ERROR = /"code":\s*-32(?:603|0(?:0[013-9]|1\d))\b/u;
const HTTP_ERROR = /^HTTP 5\d\d\b/u;

/** Whether what came may be the mood of the server: an internal error, which may pass, and may as well come for another request. */
export const mayPass = (exchange: Pick<Exchange, 'received'> | undefined): boolean => {
  const received = exchange?.received ?? '';
  return HTTP_ERROR.test(received) || SERVER_ERROR.test(received);
};
