import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asScript } from './module-syntax.js';

describe('a program as a script', () => {
  it.each([
    [`import _ from 'lodash'; _.x`, `var { default: _ } = await import("lodash"); _.x`],
    [`import * as ns from 'a'`, `var ns = await import("a");`],
    [`import d, { b as c, "x-y" as z } from 'a'`, `var { default: d, "b": c, "x-y": z } = await import("a");`],
    [`import 'a'`, `await import("a");`],
    [`export const a = 1, { b, c: [d] } = {}`, `  const a = 1, { b, c: [d] } = {}\n;({ a, b, d })`],
    [`export function f() { return 1 }`, `  function f() { return 1 }\n;({ f })`],
    [`export default 5`, `;var __default = 5\n;({ default: __default })`],
    [`export default class A {}`, `  class A {}\n;({ default: A })`],
    [`const a = 1; export { a as b }`, `const a = 1; \n;({ "b": a })`],
    [`export { x as y } from 'm'`, `\n;({ "y": (await import("m"))["x"] })`],
    [`export * from 'm'`, `\n;({ ...(await import("m")) })`],
  ])('%s', (code, script) => {
    expect(asScript(code).replaceAll(/^ +/gu, '  ')).toBe(script.replaceAll(/^ +/gu, '  '));
  });

  it('ends at a return, and keeps its last expression', () => {
    expect(asScript('if (x) return 1; 2')).toBe('await (async () => {if (x) return 1; return (2);\n})()');
    expect(asScript('const f = () => { return 1 }; f()')).toBe('const f = () => { return 1 }; f()');
  });

  it('leaves alone what it cannot parse, and what has nothing of the kind', () => {
    for (const code of ['import from', 'return }', '1 + 1', 'with (a) { b } // return']) {
      expect(asScript(code)).toBe(code);
    }
  });

  it('keeps every line where it was', () => {
    const lines = fc.array(
      fc.constantFrom(
        '1;',
        "import a from 'a';",
        "import {\n  b,\n} from 'b';",
        'export const c = 1;',
        'f(\n)',
        '// x',
      ),
    );
    fc.assert(
      fc.property(lines, (parts) => {
        const code = [...parts, 'marker'].join('\n');
        const script = asScript(code);
        const lineOf = (text: string): number => text.slice(0, text.indexOf('marker')).split('\n').length;
        expect(lineOf(script)).toBe(lineOf(code));
      }),
    );
  });
});
