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

const REQUIRED = /required property "(?<name>.*)"\.$/su;
const EXPECTED = /Expected "(?<type>.*)"\.$/su;

interface Finding {
  readonly keyword: string;
  readonly instanceLocation: string;
  readonly error: string;
}

/** What a person should do, at the field where it is to be done. */
const adviceFor = ({
  keyword,
  instanceLocation,
  error,
}: Finding): { readonly property: string; readonly message: string } => {
  const property = pathOf(instanceLocation);
  const missing = keyword === 'required' ? REQUIRED.exec(error)?.groups?.['name'] : undefined;
  if (missing !== undefined) return { property: `${property}.${missing}`, message: 'Fill this in.' };
  const type = keyword === 'type' ? EXPECTED.exec(error)?.groups?.['type'] : undefined;
  if (type !== undefined) return { property, message: `Must be of the type ${type.replaceAll('", "', ' or ')}.` };
  if (keyword === 'enum') return { property, message: 'Choose one of the values.' };
  return { property, message: error.replace(/^Instance /u, 'The value ') };
};

/** What is wrong with a value. A parent repeats what is wrong with its children, and is left out. */
const findingsOf = (schema: object, data: Data): readonly Finding[] => {
  try {
    const { errors } = new Validator(structuredClone(schema), '2020-12', false).validate(data);
    return errors.filter(({ keyword }) => !['properties', 'items', '$ref', 'allOf'].includes(keyword));
  } catch {
    // The schema itself is broken: the server has the last word.
    return [];
  }
};

const errorsOf = (schema: RJSFSchema, data: Data): RJSFValidationError[] =>
  findingsOf(schema as object, data).map((finding) => {
    const { property, message } = adviceFor(finding);
    return {
      name: 'invalid',
      property,
      message,
      stack: `${property === '' ? 'Arguments' : property.slice(1)}: ${message}`,
    };
  });

/** What is wrong with a value that a server sent, a sentence for each problem. */
export const problemsOf = (schema: object, data: Data): readonly string[] =>
  findingsOf(schema, data).map(({ instanceLocation, error }) => {
    const path = pathOf(instanceLocation).slice(1);
    return `${path === '' ? '' : `${path}: `}${error.replace(/^Instance /u, 'The value ')}`;
  });

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
