import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, type Revision } from '@plugboard/wire';

/** Something that a server wants to know of the client. */
export interface Question {
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/** A modern input request as a request to a legacy client. URL questions need an id there to refer to later. */
export const toLegacyQuestion = ({ method, params }: Question, { features }: Pick<Revision, 'features'>): Question => {
  if (method !== 'elicitation/create' || params === undefined) return { method, params };
  if (params['mode'] === 'url') return { method, params: { elicitationId: randomUUID(), ...params } };
  if (features.elicitationModes) return { method, params };
  const { mode: _mode, ...rest } = params;
  return { method, params: rest };
};

/** A legacy server's request as a modern input request. */
export const toModernQuestion = ({ method, params }: Question): Question => {
  if (params === undefined) return { method, params };
  const { elicitationId: _id, task: _task, _meta: _own, ...rest } = params;
  return {
    method,
    params: method === 'elicitation/create' && rest['mode'] === undefined ? { mode: 'form', ...rest } : rest,
  };
};

export const questionOf = (value: unknown): Question | undefined =>
  isJsonObject(value) && typeof value['method'] === 'string'
    ? { method: value['method'], params: isJsonObject(value['params']) ? value['params'] : undefined }
    : undefined;
