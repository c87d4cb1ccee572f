import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { format, inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlugboardError } from '../error/plugboard-error.js';
import { revealed, Secret } from './secret.js';

const printed = (print: (console: Console) => void): string => {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  print(new Console({ stdout: stream, stderr: stream }));
  return text;
};

const everyRendering = (secret: Secret): readonly string[] => {
  const nested = { deep: [{ deeper: new Map([['key', { secret }]]) }], set: new Set([secret]) };
  const failure = new PlugboardError('INTERNAL', `It failed with ${String(secret)}.`, {
    details: { secret },
    cause: new Error('inner', { cause: { secret } }),
  });
  const all = { depth: Infinity, showHidden: true, getters: true } as const;
  return [
    String(secret),
    `<${secret as unknown as string}>`,
    secret + '',
    [secret].join(),
    JSON.stringify({ secret, nested }),
    JSON.stringify(Object.entries({ secret })),
    inspect(secret),
    inspect(nested, all),
    inspect(secret, { ...all, customInspect: false }),
    format('%s %o %O %j %d', secret, secret, secret, secret, secret),
    inspect(failure, all),
    JSON.stringify(failure),
    String(failure.stack),
    inspect(Object.assign({}, secret), all),
    inspect(structuredClone(secret), all),
    inspect(Object.getOwnPropertyDescriptors(secret), all),
    printed((console) => {
      console.log(secret, nested);
      console.error('%s', secret, failure);
      console.table([{ secret }]);
      console.dir(nested, { depth: null });
    }),
  ];
};

describe('Secret', () => {
  it('shows its value in no rendering', () => {
    // Long enough that no rendering contains it by chance.
    fc.assert(
      fc.property(fc.base64String({ minLength: 16, maxLength: 64 }), (value) => {
        for (const secret of [Secret.of(value), Secret.sealed(() => value)]) {
          for (const rendering of everyRendering(secret)) expect(rendering).not.toContain(value);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('would be found in those renderings if it were no secret', () => {
    const value = 'a value that is seen';
    for (const rendering of everyRendering(value as unknown as Secret).slice(0, 8)) expect(rendering).toContain(value);
  });

  it('gives its value to whoever asks for it', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(Secret.of(value).reveal()).toBe(value);
        expect(revealed(Secret.of(value))).toBe(value);
        expect(revealed(value)).toBe(value);
      }),
    );
  });

  it('opens a sealed value anew each time, and keeps nothing', () => {
    let opened = 0;
    const secret = Secret.sealed(() => `value ${(opened += 1)}`);
    expect([secret.reveal(), secret.reveal()]).toEqual(['value 1', 'value 2']);
  });

  it('is equal to another with the same value only', () => {
    expect(Secret.of('a').equals(Secret.sealed(() => 'a'))).toBe(true);
    expect(Secret.of('a').equals(Secret.of('b'))).toBe(false);
  });
});
