/** An object as JSON has it. Its members are unknown until somebody looks at them. */
export type JsonObject = { readonly [key: string]: unknown };

/** Arrays and null are no JSON objects. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
