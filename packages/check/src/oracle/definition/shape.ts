/** A JSON Schema, as far as the definitions here need it. */
export type Shape = Readonly<Record<string, unknown>>;
export type Shapes = Readonly<Record<string, Shape>>;

export const text: Shape = { type: 'string' };
export const flag: Shape = { type: 'boolean' };
export const whole: Shape = { type: 'integer' };
export const number: Shape = { type: 'number' };
export const anything: Shape = {};
export const anyObject: Shape = { type: 'object' };
export const uri: Shape = { type: 'string', format: 'uri' };

export const only = (value: string): Shape => ({ const: value });
export const oneOf = (...values: readonly string[]): Shape => ({ enum: values });
export const listOf = (items: Shape): Shape => ({ type: 'array', items });
export const mapOf = (values: Shape): Shape => ({ type: 'object', additionalProperties: values });
export const anyOf = (...shapes: readonly Shape[]): Shape => ({ anyOf: shapes });
export const named = (name: string): Shape => ({ $ref: `#/$defs/${name}` });

/** An object with these members; others are allowed. */
export const object = (required: Shapes, optional: Shapes = {}): Shape => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
});

/** Members that a revision has only from another one on. */
export const since = (revision: string, first: string, members: Shapes): Shapes => (revision >= first ? members : {});
