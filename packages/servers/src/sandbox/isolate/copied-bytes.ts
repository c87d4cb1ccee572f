import type { JSValueHandle } from 'quickjs-wasi';

const VIEW = /^(?:(?:Big)?(?:Uint|Int)\d+(?:Clamped)?|Float\d+)Array$/u;

/** Whether the value is a typed array, by the word of the engine. */
export const isView = (value: JSValueHandle): boolean =>
  value.isObject && !value.isProxy && VIEW.test(value.className ?? '');

/** The bytes of a buffer or a view. An empty or detached one has no address that could be read. */
export const copiedBytes = (value: JSValueHandle): Uint8Array => {
  try {
    return value.toUint8Array();
  } catch {
    return new Uint8Array();
  }
};
