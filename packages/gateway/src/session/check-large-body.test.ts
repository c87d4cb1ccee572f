import { describe, expect, it } from 'vitest';
import { checkLargeBody, LargeIntroduction } from './check-large-body.js';

const KIB = 1024;
/** No part of it can be decoded or parsed: a refusal came before that. */
const GARBAGE = Buffer.alloc(300 * KIB, 0xff);

const refusalOf = (text: string, rest: Buffer = GARBAGE): unknown => {
  try {
    checkLargeBody(Buffer.concat([Buffer.from(text), rest]));
    return undefined;
  } catch (thrown) {
    return thrown;
  }
};

describe('checkLargeBody', () => {
  it('refuses a batch at its 101st message', () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"},';
    expect(refusalOf(`[${ping.repeat(100)}`)).toMatchObject({ code: 'INVALID_REQUEST', details: { limit: 100 } });
    expect(refusalOf(`[${ping.repeat(99)}`)).toBeUndefined();
  });

  it('refuses a document that is nested too deep at its beginning', () => {
    expect(refusalOf('['.repeat(65))).toMatchObject({ code: 'INVALID_JSON' });
    expect(refusalOf('['.repeat(64))).toBeUndefined();
  });

  it('refuses an introduction by its size, and knows whose answer that is', () => {
    const head = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"initialize","params":{"clientInfo":"`;
    expect(refusalOf(head('7'))).toBeInstanceOf(LargeIntroduction);
    expect(refusalOf(head('7'))).toMatchObject({ code: 'INVALID_ARGUMENT', requestId: 7 });
    expect(refusalOf(head('"a"'))).toMatchObject({ requestId: 'a' });
    for (const id of ['1.5', 'null', '{}', `"${'x'.repeat(300)}"`]) {
      expect(refusalOf(head(id))).toMatchObject({ requestId: null });
    }
    expect(refusalOf(head('7'), Buffer.alloc(KIB))).toBeUndefined();
  });

  it('lets other messages pass, whatever their size', () => {
    expect(refusalOf('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"')).toBeUndefined();
    expect(refusalOf('{"params":{},"method":"initialize"')).toBeUndefined();
  });
});
