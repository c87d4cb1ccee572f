type Fields = Readonly<Record<string, unknown>>;

/** Where the registry says what it did. Nothing secret is ever handed to it. */
export interface Log {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}
