import { isJsonObject } from '@plugboard/base';
import { ownMember } from './json-schema.js';
import { walkSchema } from './walk-schema.js';

/** The two dialects that are understood; older drafts are read as draft-07, newer ones as 2020-12. */
export type Dialect = 'draft-07' | '2020-12';

const OLD = /draft-0?[34567]/u;
const NEW = /2020-12/u;

/**
 * `$schema` decides. Without it 2020-12 is meant (MCP says so), unless the schema uses the old form of tuples; the same
 * goes for 2019-09, which has most of the new keywords and the old tuples.
 */
export const dialectOf = (root: unknown): Dialect => {
  if (!isJsonObject(root)) return '2020-12';
  const declared = ownMember(root, '$schema');
  if (typeof declared === 'string' && OLD.test(declared)) return 'draft-07';
  if (typeof declared === 'string' && NEW.test(declared)) return '2020-12';
  let dialect: Dialect = '2020-12';
  walkSchema(root, ({ schema }) => {
    if (isJsonObject(schema) && Array.isArray(ownMember(schema, 'items'))) dialect = 'draft-07';
    return dialect === 'draft-07' ? 'skip' : undefined;
  });
  return dialect;
};
