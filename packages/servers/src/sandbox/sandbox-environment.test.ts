import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { Sandbox } from './run/sandbox.js';
import { DEFAULT_SETTINGS } from './run/sandbox-settings.js';
import { inProcessPool } from './test-support/in-process.js';
import { missingByDesign, describeRun } from './tools/run-shape.js';

const sandbox = new Sandbox(DEFAULT_SETTINGS, inProcessPool());
afterAll(() => sandbox.close());

const run = async (code: string, language: 'javascript' | 'typescript' = 'javascript', sessionId?: string) =>
  describeRun(await sandbox.run({ code, language, files: [], limits: {}, sessionId }, { owner: undefined }));
const valueOf = async (code: string): Promise<unknown> => {
  const { result, error } = await run(code);
  return error === undefined ? result?.value : error;
};

describe('what a program finds', () => {
  it.each([
    [`new URL('../b?x=1#h', 'https://u:p@h.example:8443/a/').href`, 'https://u:p@h.example:8443/b?x=1#h'],
    [
      `const u = new URL('http://h/'); u.pathname = '/ä'; u.searchParams.append('q', 'a b&c'); String(u)`,
      'http://h/%C3%A4?q=a+b%26c',
    ],
    [`const u = new URL('http://h/?a=1'); u.search = '?b=2'; [...u.searchParams]`, [['b', '2']]],
    [`try { new URL('nonsense') } catch (e) { e.name }`, 'TypeError'],
    [`[URL.canParse('x'), URL.canParse('x', 'http://h')]`, [false, true]],
    [
      `const p = new URLSearchParams({ a: 1 }); p.set('a', 2); p.append('a', 3); p.delete('a', '2'); [p.getAll('a'), p.size, String(p)]`,
      [['3'], 1, 'a=3'],
    ],
    [`new TextDecoder('utf-16le').decode(new Uint8Array([65, 0]))`, 'A'],
    [`crypto.randomUUID().length`, 36],
    [
      `Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('x'))).toString('hex')`,
      createHash('sha256').update('x').digest('hex'),
    ],
    [
      `const a = { m: new Map([[1, new Date(0)]]) }; a.self = a; const b = structuredClone(a); [b !== a, b.self === b, b.m.get(1).getTime()]`,
      [true, true, 0],
    ],
    [`Buffer.from('grüße').toString('base64')`, 'Z3LDvMOfZQ=='],
    [`new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1234.5)`, '1.234,50\u00a0€'],
    [`new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date(0))`, '1 January 1970'],
    [`new Intl.PluralRules('en').select(1)`, 'one'],
    [`['ä', 'z', 'a'].sort(new Intl.Collator('de').compare)`, ['a', 'ä', 'z']],
    [`(1234567.891).toLocaleString('en-US')`, '1,234,567.891'],
    [`new Date(0).toLocaleDateString('en-US')`, '1/1/1970'],
    [`'a'.localeCompare('b')`, -1],
    [`try { new Intl.NumberFormat('xx-invalid-locale-name-too-long') } catch (e) { e.name }`, 'RangeError'],
  ])('%s', async (code, value) => {
    expect(await valueOf(code)).toEqual(value);
  });

  it.each([
    [`import _ from 'lodash'; _.chunk([1, 2, 3], 2)`, [[1, 2], [3]]],
    [
      `import { addDays, formatISO } from 'date-fns'; formatISO(addDays(new Date(0), 1), { representation: 'date' })`,
      '1970-01-02',
    ],
    [`import { parse } from 'yaml'; parse('a: [1, 2]')`, { a: [1, 2] }],
    [`import Papa from 'papaparse'; Papa.parse('a,b\\n1,2', { header: true }).data`, [{ a: '1', b: '2' }]],
    [`import { z } from 'zod'; z.object({ a: z.number() }).safeParse({ a: 'x' }).success`, false],
    [`import { Buffer as B } from 'node:buffer'; B.from('x')[0]`, 120],
    [`(await import('lodash')).sum([1, 2])`, 3],
  ])('%s', async (code, value) => {
    expect(await valueOf(code)).toEqual(value);
  });

  it('takes exports, and a return at the top level, as the result', async () => {
    expect(await valueOf('export const a = 1; export default () => 2;')).toEqual({
      a: 1,
      default: '[Function: __default]',
    });
    expect(await valueOf('if (1 < 2) return { early: true }; 5')).toEqual({ early: true });
    expect(await valueOf('if (1 > 2) return { early: true }; 5')).toBe(5);
    const typed = await run(
      `import type { X } from 'y'; import { sum } from 'lodash'; export const n: number = sum([1, 2]);`,
      'typescript',
    );
    expect(typed.result?.value).toEqual({ n: 3 });
  });

  it('lets a session import the same name in every run, and keeps nothing between programs', async () => {
    const { id } = sandbox.createSession(undefined);
    for (const _time of [1, 2]) {
      const { result, error } = await run(
        `import _ from 'lodash'; globalThis.n = (globalThis.n ?? 0) + _.sum([1]); n`,
        'javascript',
        id,
      );
      expect([result?.value, error]).toEqual([_time, undefined]);
    }
    await run('Buffer.prototype.leaked = 1; globalThis.leaked = 1');
    expect(await valueOf('[typeof leaked, Buffer.prototype.leaked]')).toEqual(['undefined', null]);
  });
});

describe('what is missing by design', () => {
  it.each([
    ['fetch("http://h")', /--allow-fetch/u],
    ['require("fs")', /Import one of/u],
    ['process.env', /no process/u],
    ['document.title', /not a browser/u],
    ['import fs from "fs"', /Import one of buffer/u],
  ])('%s', async (code, hint) => {
    const { error } = await run(code);
    expect(error?.hint).toMatch(hint);
  });

  it('is not claimed of anything else', () => {
    expect(missingByDesign('ReferenceError', 'mine is not defined')).toBeUndefined();
    expect(missingByDesign('ReferenceError', 'toString is not defined')).toBeUndefined();
    expect(missingByDesign('Error', 'fetch is not defined')).toBeUndefined();
  });
});

describe('the console', () => {
  it('stays within its limit, with everything that is reported at the end', async () => {
    const small = new Sandbox(
      { ...DEFAULT_SETTINGS, limits: { ...DEFAULT_SETTINGS.limits, outputBytes: 100 } },
      inProcessPool(),
    );
    const report = describeRun(
      await small.run(
        {
          code: `console.log('x'.repeat(90)); for (let i = 0; i < 20; i += 1) Promise.reject(new Error('y'.repeat(50)));`,
          language: 'javascript',
          files: [],
          limits: {},
        },
        { owner: undefined },
      ),
    );
    expect(report.console.map(({ text }) => text).join('').length).toBeLessThanOrEqual(100);
    await small.close();
  });
});
