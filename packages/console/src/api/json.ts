/** What servers and files send: anything may be missing or of another kind. The console imports no `base`. */
export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
