/** The value of a JSON text; undefined when it is none. No JSON text has the value undefined. */
export const tryJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
