const SHOWN = '[secret]';
// The names under which Node and its loggers ask an object how it wants to be printed.
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A value that must not be seen. However it is printed – as text, as JSON, in a template, by a debugger, in a log – it
 * says that it is a secret and nothing more. Only `reveal` gives the value, and is called where bytes are written.
 */
export class Secret {
  readonly #open: () => string;

  private constructor(open: () => string) {
    this.#open = open;
  }

  /** A secret whose value is already here. */
  static of(value: string): Secret {
    return new Secret(() => value);
  }

  /** A secret that stays sealed: `open` is called each time that it is revealed, and nothing is kept. */
  static sealed(open: () => string): Secret {
    return new Secret(open);
  }

  reveal(): string {
    return this.#open();
  }

  /** Equality as others see it compares what can be printed, which is the same for all secrets. */
  equals(other: Secret): boolean {
    return this === other || this.reveal() === other.reveal();
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [Symbol.toPrimitive](): string {
    return SHOWN;
  }

  [INSPECT](): string {
    return SHOWN;
  }

  get [Symbol.toStringTag](): string {
    return 'Secret';
  }
}

/** The value, for where it may come wrapped or not. */
export const revealed = (value: string | Secret): string => (value instanceof Secret ? value.reveal() : value);
