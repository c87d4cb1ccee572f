export type JsonObject = Readonly<Record<string, unknown>>;
export type MessageId = string | number;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined when it is none. */
export const tryJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** The message of a text, or those of a batch. */
export const messagesIn = (text: string): readonly JsonObject[] => [tryJson(text)].flat().filter(isObject);

/** Any value as a short text for a sentence. */
export const show = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

/** The member of a nested object, by its path. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);

/** An array, or an empty one in place of anything else. */
export const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};
