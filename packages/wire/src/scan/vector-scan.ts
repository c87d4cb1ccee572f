import { ESCAPES_AT, HEX_AT, vectorCode, WINDOW_AT, WINDOW_BYTES } from './vector-code.js';

/** The position after a string that goes on at `from`; -1 when it is none; below that, `goOnFrom` says how far it is one. */
export type VectorScan = (bytes: Uint8Array, from: number) => number;

interface Compiled {
  readonly exports: {
    readonly m: { readonly buffer: ArrayBuffer };
    readonly f: (at: number, end: number) => number;
  };
}

// The types of the language's library that this repository compiles against have no WebAssembly.
interface Engine {
  readonly WebAssembly: {
    readonly Module: new (code: Uint8Array) => object;
    readonly Instance: new (module: object) => Compiled;
  };
}

/** A string may end soon, and what follows it is copied for nothing. */
const FIRST_WINDOW = 2 * 1024;
/** The rest is not worth a call. */
const MIN_BYTES = 64;

const NO_STRING = -1;
/** From here downwards, a result says where to continue. */
export const CUT = -2;

export const goOnFrom = (found: number): number => CUT - found;

/** For machines without vectors. */
export const noVectors: VectorScan = (_bytes, from) => CUT - from;

const SHORT_ESCAPES = '"\\/bfnrt';
const HEX_DIGITS = '0123456789abcdefABCDEF';

const compile = ({ WebAssembly: { Module, Instance } }: Engine): Compiled | undefined => {
  try {
    return new Instance(new Module(vectorCode()));
  } catch {
    return undefined;
  }
};

/** Undefined where there are no vectors, or no memory for them. */
export const openVectorScan = (engine = globalThis as unknown as Engine): VectorScan | undefined => {
  const compiled = compile(engine);
  if (compiled === undefined) return undefined;
  const { m: memory, f: skip } = compiled.exports;
  const place = new Uint8Array(memory.buffer);
  for (const letter of SHORT_ESCAPES) place[ESCAPES_AT + letter.charCodeAt(0)] = 2;
  place[ESCAPES_AT + 'u'.charCodeAt(0)] = 6;
  for (const digit of HEX_DIGITS) place[HEX_AT + digit.charCodeAt(0)] = 1;
  return (bytes, from) => {
    let at = from;
    for (let window = FIRST_WINDOW; bytes.length - at > MIN_BYTES; window = Math.min(window * 2, WINDOW_BYTES)) {
      const size = Math.min(window, bytes.length - at);
      place.set(bytes.subarray(at, at + size), WINDOW_AT);
      const found = skip(WINDOW_AT, WINDOW_AT + size);
      if (found > 0) return at + found - WINDOW_AT;
      if (found === NO_STRING) return NO_STRING;
      at += goOnFrom(found) - WINDOW_AT;
    }
    return CUT - at;
  };
};
