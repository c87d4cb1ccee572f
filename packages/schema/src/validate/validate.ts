import { createSchemaValidator, type SchemaValidator, type Validation } from './schema-validator.js';

let shared: SchemaValidator | undefined;

const validator: SchemaValidator = (schema, value) => {
  // made when first needed: the library takes tens of milliseconds to start
  shared ??= createSchemaValidator();
  return shared(schema, value);
};

/** Are these arguments what the tool's original input schema asks for? Absent arguments are an empty object. */
export const validateArguments = (schema: unknown, args: unknown): Validation => validator(schema, args ?? {});

/** Is this structured content what the output schema promises? Without an output schema everything is. */
export const validateResult = (outputSchema: unknown, structuredContent: unknown): Validation => {
  if (outputSchema === undefined || outputSchema === null) return { ok: true };
  if (structuredContent === undefined) {
    const message = 'The tool declares structured content, but the result has none.';
    return { ok: false, problems: [{ pointer: '', message, keyword: 'structuredContent' }] };
  }
  return validator(outputSchema, structuredContent);
};
