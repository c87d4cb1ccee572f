import type { SchemaObject } from '../../document/json-schema.js';
import { validateResult } from '../../validate/validate.js';

/** Is the value of the form that the schema describes? Unlike arguments, it may be null. */
export const accepts = (schema: SchemaObject, value: unknown): boolean => validateResult(schema, value).ok;
