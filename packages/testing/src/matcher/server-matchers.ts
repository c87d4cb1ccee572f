import { FakeServer } from '../server/fake-server.js';
import { verdict, type Verdict } from './verdict.js';

const asServer = (received: unknown): FakeServer => {
  if (received instanceof FakeServer) return received;
  throw new TypeError('This matcher wants a FakeServer.');
};

const equal = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((method, index) => method === other[index]);

/** The whole sequence of JSON-RPC methods, notifications included. */
export const toHaveReceivedMethods = (received: unknown, expected: readonly string[]): Verdict => {
  const actual = asServer(received).log.methods();
  return verdict(equal(actual, expected), `have received exactly these methods; it received ${actual.join(', ')}`, {
    actual,
    expected,
  });
};

/** At least one message of this method, or exactly `times`. */
export const toHaveReceived = (received: unknown, method: string, times?: number): Verdict => {
  const actual = asServer(received).counters.received(method);
  const pass = times === undefined ? actual > 0 : actual === times;
  const wanted = times === undefined ? '' : ` ${times} times`;
  return verdict(pass, `have received ${method}${wanted}; it did ${actual} times`);
};

/** The handler of this tool was started, at all or exactly `times`. */
export const toHaveExecuted = (received: unknown, tool: string, times?: number): Verdict => {
  const actual = asServer(received).counters.executed(tool);
  const pass = times === undefined ? actual > 0 : actual === times;
  const wanted = times === undefined ? '' : ` ${times} times`;
  return verdict(pass, `have executed ${tool}${wanted}; it did ${actual} times`);
};

export const toHaveNoOpenConnections = (received: unknown): Verdict => {
  const { openConnections, openStreams } = asServer(received).counters;
  const pass = openConnections === 0 && openStreams === 0;
  return verdict(pass, `have nothing open; ${openConnections} connections and ${openStreams} streams are`);
};
