import { describe, expect, it } from 'vitest';
import { ERROR_CODES, errorCodes, isErrorCode, metricLabel } from './error-code.js';

describe('the table of error codes', () => {
  it.each(errorCodes)('%s means an error on every surface', (code) => {
    const meaning = ERROR_CODES[code];
    expect(meaning.http).toBeGreaterThanOrEqual(400);
    expect(meaning.http).toBeLessThan(600);
    expect(meaning.exit).toBeGreaterThan(0);
    expect(metricLabel(code)).toMatch(/^[a-z_]+$/u);
  });

  it('uses no JSON-RPC code that the specification reserves for itself', () => {
    const reserved = errorCodes.filter(
      (code) => ERROR_CODES[code].jsonRpc <= -32020 && ERROR_CODES[code].jsonRpc >= -32099,
    );
    expect(reserved).toEqual([]);
  });

  it('does not use the codes that legacy clients take for a lost session', () => {
    const sessionCodes = errorCodes.filter((code) => [-32000, -32001].includes(ERROR_CODES[code].jsonRpc));
    expect(sessionCodes).toEqual([]);
  });

  it('knows its own codes and no others', () => {
    expect(isErrorCode('NOT_FOUND')).toBe(true);
    expect(isErrorCode('toString')).toBe(false);
    expect(isErrorCode(404)).toBe(false);
  });

  it('is documented', async () => {
    const rows = errorCodes.map((code) => {
      const { http, jsonRpc, exit, meaning, temporary } = ERROR_CODES[code];
      return `| \`${code}\` | ${meaning} | ${http} | ${jsonRpc} | ${exit} | ${temporary ? 'yes' : ''} |`;
    });
    const page = [
      '# Error codes',
      '',
      'Every error has one of these codes, a message, and usually a hint. Over HTTP the body is',
      '`{"error": {"code", "message", "hint", "cli_hint"?, "details"?, "retry_after_ms"?}, "detail"}`. In JSON-RPC the same object is',
      '`error.data`. The CLI exits with the exit code in the table. Metrics use the code in lower case as label.',
      'This page is generated from `packages/contract/src/error/error-code.ts`; `npx vitest run --project unit -u` regenerates it.',
      '',
      '| code | means | HTTP | JSON-RPC | exit | retry may succeed |',
      '|---|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
    await expect(page).toMatchFileSnapshot('../../../../docs/errors.md');
  });
});
