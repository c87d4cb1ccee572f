import type { JSValueHandle } from 'quickjs-wasi';
import type { GuestError, StopCode } from './isolate-job.js';
import { dataText, errorName, type AskRuntime } from './plain-value.js';

const MAX_TEXT = 4000;
const MAX_STACK = 100_000;
const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** What was thrown, in words, without running a getter of it. */
export const guestErrorOf = (reason: JSValueHandle, ask?: AskRuntime): GuestError => {
  if (!reason.isObject || reason.isProxy) {
    const text = reason.isObject ? '[Proxy]' : reason.isSymbol ? '[Symbol]' : reason.toString();
    return { name: 'Error', message: cut(`Thrown: ${text}`), stack: '' };
  }
  const name = cut(errorName(reason));
  const stack = reason.isError ? ask?.('stackText', reason) : undefined;
  const stackText = stack?.isString === true && stack.length < MAX_STACK ? stack.toString() : '';
  return { name, message: cut(dataText(reason, 'message')), stack: cut(stackText) };
};

/** The engine reports its limits as errors that the code may catch; when nobody does, they end the run. */
export const stopCodeOf = ({ name, message }: GuestError): StopCode | undefined => {
  if (name === 'InternalError' && /^(?:out of memory|string too long)/u.test(message)) return 'MEMORY_LIMIT';
  if (name === 'RangeError' && message.startsWith('Maximum call stack size exceeded')) return 'STACK_LIMIT';
  if (name === 'InternalError' && message.startsWith('stack overflow')) return 'STACK_LIMIT';
  return undefined;
};

/** What the engine itself ran into: the stack of the thread, its memory, or a trap. */
export const stopCodeOfHostError = (error: unknown): StopCode => {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : '';
  if (/call stack|stack overflow/iu.test(text)) return 'STACK_LIMIT';
  if (/memory|malloc/iu.test(text)) return 'MEMORY_LIMIT';
  return 'ENGINE_FAULT';
};
