import type { JSOwnPropertyDescriptor, JSValueHandle } from 'quickjs-wasi';
import { copiedBytes, isView } from './copied-bytes.js';
import type { JsonValue } from './isolate-job.js';

export interface PlainBounds {
  readonly maxNodes: number;
  readonly maxDepth: number;
  readonly maxBytes: number;
  /** What happens to what is beyond the bounds: the whole is refused, or the rest is left out. */
  readonly excess: 'refuse' | 'cut';
}

export class ExcessError extends Error {
  override readonly name = 'ExcessError';
}

/** Calls of the guest's runtime that read what the engine keeps to itself. */
export type AskRuntime = (
  name: 'dateText' | 'regexText' | 'stackText' | 'entries' | 'members',
  value: JSValueHandle,
) => JSValueHandle;

const MAX_LISTED_BYTES = 1024;
const REST = '…';

/**
 * Copies a value of the guest into plain data without running any of its code: no getter, no trap, no `toJSON`. What
 * has no counterpart in JSON becomes a word in brackets.
 */
export class PlainWriter {
  readonly #bounds: PlainBounds;
  readonly #ask: AskRuntime;
  readonly #open = new Set<number>();
  #nodes = 0;
  #bytes = 0;

  constructor(bounds: PlainBounds, ask: AskRuntime) {
    this.#bounds = bounds;
    this.#ask = ask;
  }

  /** Undefined where JSON has nothing: `undefined` itself. */
  write(value: JSValueHandle, depth = 0): JsonValue | undefined {
    this.#nodes += 1;
    if (this.#nodes > this.#bounds.maxNodes) return this.#excess();
    if (value.isUndefined) return undefined;
    if (value.isNull) return null;
    if (value.isBool) return value.toBoolean();
    if (value.isNumber) return numberOf(value.toNumber());
    if (value.isString) return this.#text(value);
    if (value.isBigInt) return this.#take(`${value.toString()}n`);
    if (value.isSymbol) return '[Symbol]';
    return this.#object(value, depth);
  }

  #object(value: JSValueHandle, depth: number): JsonValue {
    if (value.isProxy) return '[Proxy]';
    if (value.isFunction) return this.#take(`[Function: ${dataText(value, 'name') || 'anonymous'}]`);
    if (this.#open.has(value.identity)) return '[Circular]';
    if (depth >= this.#bounds.maxDepth) {
      return this.#bounds.excess === 'refuse' ? this.#excess() : value.isArray ? '[Array]' : '[Object]';
    }
    this.#open.add(value.identity);
    try {
      return this.#special(value, depth) ?? this.#properties(value, depth);
    } finally {
      this.#open.delete(value.identity);
    }
  }

  #special(value: JSValueHandle, depth: number): JsonValue | undefined {
    if (value.isArray) return this.#array(value, depth);
    if (value.isError) return this.#error(value);
    if (value.isDate) return this.#text(this.#ask('dateText', value));
    if (value.isRegExp) return this.#text(this.#ask('regexText', value));
    if (value.isMap) return this.#array(this.#ask('entries', value), depth);
    if (value.isSet) return this.#array(this.#ask('members', value), depth);
    const name = value.className ?? 'Object';
    if (value.isArrayBuffer || isView(value)) return this.#bytesOf(value, name);
    return name === 'Object' || name === 'Arguments' ? undefined : `[${name}]`;
  }

  #bytesOf(value: JSValueHandle, name: string): JsonValue {
    const bytes = copiedBytes(value);
    return name === 'Uint8Array' && bytes.byteLength <= MAX_LISTED_BYTES
      ? [...bytes]
      : `[${name}: ${bytes.byteLength} bytes]`;
  }

  #array(list: JSValueHandle, depth: number): JsonValue {
    const length = list.length;
    const room = this.#bounds.maxNodes - this.#nodes;
    if (length > room && this.#bounds.excess === 'refuse') return this.#excess();
    const items: JsonValue[] = [];
    for (let index = 0; index < Math.min(length, room); index += 1) {
      items.push(this.#own(list, String(index), depth) ?? null);
    }
    return length > room ? [...items, `${REST} ${length - room} more`] : items;
  }

  #properties(value: JSValueHandle, depth: number): JsonValue {
    // No prototype: "__proto__" is a key like any other.
    const plain = Object.create(null) as Record<string, JsonValue>;
    for (const key of value.getOwnPropertyKeys()) {
      if (typeof key !== 'string') continue;
      if (this.#nodes >= this.#bounds.maxNodes) {
        this.#excess();
        plain[REST] = 'more';
        break;
      }
      const written = this.#own(value, key, depth);
      if (written !== undefined) plain[this.#take(key)] = written;
    }
    return plain;
  }

  #own(holder: JSValueHandle, key: string, depth: number): JsonValue | undefined {
    const property = holder.getOwnPropertyDescriptor(key);
    if (property === undefined || !property.enumerable) return undefined;
    return property.value === undefined ? '[Getter]' : this.write(property.value, depth + 1);
  }

  #error(error: JSValueHandle): JsonValue {
    return { name: this.#take(errorName(error)), message: this.#take(dataText(error, 'message')) };
  }

  #text(value: JSValueHandle): string {
    if (!value.isString) return '[Object]';
    // Long texts are not even copied out of the isolate.
    if (value.length > this.#bounds.maxBytes - this.#bytes) {
      this.#excess();
      return `[String: ${value.length} characters]`;
    }
    return this.#take(value.toString());
  }

  #take(text: string): string {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#bounds.maxBytes) return this.#excess();
    return text;
  }

  #excess(): string {
    if (this.#bounds.excess === 'refuse') throw new ExcessError('The value is larger than what a run may return.');
    return REST;
  }
}

const numberOf = (value: number): JsonValue => (Number.isFinite(value) ? value : String(value));

const textOf = (property: JSOwnPropertyDescriptor | undefined): string | undefined =>
  property?.value?.isString === true ? property.value.toString() : undefined;

/** An own property that is a text; the empty text otherwise. */
export const dataText = (holder: JSValueHandle, key: string): string =>
  textOf(holder.getOwnPropertyDescriptor(key)) ?? '';

const MAX_CLIMB = 8;

/** The nearest `name` up the prototypes, read without running a getter. */
export const errorName = (error: JSValueHandle): string => {
  let holder = error;
  for (let step = 0; step < MAX_CLIMB && holder.isObject && !holder.isProxy; step += 1) {
    const name = textOf(holder.getOwnPropertyDescriptor('name'));
    if (name !== undefined) return name;
    holder = holder.getPrototypeOf();
  }
  return 'Error';
};
