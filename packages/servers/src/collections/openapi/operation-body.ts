import type { RequestBody } from '../model/collection-model.js';
import type { KeyValue } from '../../send/outgoing-request.js';
import type { FollowReference } from './follow-reference.js';
import { recordOf } from './openapi-shapes.js';
import { sampleValue } from './sample-value.js';

export interface OperationBody {
  readonly body: RequestBody;
  readonly contentType?: string;
}

/** The variable that replaces the body as a whole. */
const BODY_VARIABLE = '{{body}}';

/** The body that the document shows, or the smallest that its schema takes. */
export const bodyOf = (requestBody: unknown, follow: FollowReference): OperationBody => {
  const content = Object.entries(recordOf(recordOf(requestBody)['content']));
  const json = content.find(([type]) => /[/+]json\b/u.test(type));
  const [type, media] = json ?? content[0] ?? [];
  if (type === undefined) return { body: { mode: 'none' } };
  const value = exampleOf(recordOf(media), follow);
  if (json !== undefined) {
    return { body: { mode: 'raw', text: JSON.stringify(value ?? {}, null, 2) }, contentType: type };
  }
  if (type === 'application/x-www-form-urlencoded') return { body: { mode: 'urlencoded', fields: fieldsOf(value) } };
  if (type === 'multipart/form-data') return { body: { mode: 'formdata', fields: fieldsOf(value) } };
  return { body: { mode: 'raw', text: typeof value === 'string' ? value : BODY_VARIABLE }, contentType: type };
};

const exampleOf = (media: Readonly<Record<string, unknown>>, follow: FollowReference): unknown => {
  if (media['example'] !== undefined) return media['example'];
  const [first] = Object.values(recordOf(media['examples']));
  return recordOf(first)['value'] ?? sampleValue(media['schema'], follow);
};

const fieldsOf = (value: unknown): readonly KeyValue[] =>
  Object.entries(recordOf(value)).map(([key, field]) => ({
    key,
    value: typeof field === 'string' ? field : JSON.stringify(field),
  }));
