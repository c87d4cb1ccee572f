import { Validator } from '@cfworker/json-schema';
import type { RJSFValidationError, RJSFSchema, ValidatorType } from '@rjsf/utils';
import { toErrorSchema } from '@rjsf/utils';

type Data = unknown;

/** `#/a/0/b` as `.a.0.b`. */
const pathOf = (location: string): string =>
  location
    .replace(/^#/u, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => `.${decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')}`)
    .join('');

const errorsOf = (schema: RJSFSchema, data: Data): RJSFValidationError[] => {
  try {
    const { errors } = new Validator(structuredClone(schema) as object, '2020-12', false).validate(data);
    // A parent repeats what is wrong with its children.
    return errors
      .filter(({ keyword }) => !['properties', 'items', '$ref', 'allOf'].includes(keyword))
      .map(({ instanceLocation, error }) => {
        const property = pathOf(instanceLocation);
        return {
          name: 'invalid',
          property,
          message: error,
          stack: `${property === '' ? 'Arguments' : property.slice(1)}: ${error}`,
        };
      });
  } catch {
    // The schema itself is broken: the server has the last word.
    return [];
  }
};

/** Checks a form without compiling code, which the page's policy forbids. */
export const schemaValidator: ValidatorType = {
  reset: () => undefined,
  isValid: (schema, data, root) => errorsOf({ ...root, ...schema }, data).length === 0,
  rawValidation: (schema, data) => ({ errors: errorsOf(schema, data) as never[] }),
  validateFormData: (data, schema) => {
    const errors = errorsOf(schema, data);
    return { errors, errorSchema: toErrorSchema(errors) };
  },
};
