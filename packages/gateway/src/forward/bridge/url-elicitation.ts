import { McpClientError } from '@plugboard/client';
import { isJsonObject, type JsonObject, RPC_CODE } from '@plugboard/wire';

/** A legacy server says with an error that the user must open pages first: as questions of the modern era. */
export const urlQuestionsIn = (thrown: unknown): JsonObject | undefined => {
  if (!(thrown instanceof McpClientError) || thrown.rpc?.code !== RPC_CODE.urlElicitationRequired) return undefined;
  const { data } = thrown.rpc;
  const elicitations: unknown = isJsonObject(data) ? data['elicitations'] : undefined;
  if (!Array.isArray(elicitations)) return undefined;
  const questions = elicitations.filter(isJsonObject).map((elicitation, index) => {
    const { elicitationId, ...params } = elicitation;
    const key = typeof elicitationId === 'string' ? elicitationId : `url-${index + 1}`;
    return [key, { method: 'elicitation/create', params: { mode: 'url', ...params } }] as const;
  });
  return questions.length === 0 ? undefined : Object.fromEntries(questions);
};
