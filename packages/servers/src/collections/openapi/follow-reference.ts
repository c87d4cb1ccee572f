import { recordOf, textOf } from './openapi-shapes.js';

type Data = Readonly<Record<string, unknown>>;

/** What an object refers to, or the object itself. Only references that go in circles are left in a document. */
export type FollowReference = (value: Data) => Data;

const MAX_STEPS = 20;

export const followIn =
  (document: Data): FollowReference =>
  (value) => {
    let at = value;
    for (let step = 0; step < MAX_STEPS && textOf(at['$ref']).startsWith('#/'); step += 1) {
      const tokens = textOf(at['$ref']).slice(2).split('/');
      at = tokens.reduce<Data>((holder, token) => recordOf(holder[keyOf(token)]), document);
    }
    return at;
  };

const keyOf = (token: string): string => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
