import { describe, expect, it } from 'vitest';
import { cleanToken } from './clean-token.js';

const tokenAfter = (auth_token: string | null, auth_header?: string | null): unknown =>
  cleanToken({
    mcp_server_type: 'sse',
    server_url: 'https://x.example',
    auth_token,
    ...(auth_header === undefined ? {} : { auth_header }),
  }).auth_token;

describe('cleanToken', () => {
  it.each<[string | null, string | null | undefined, string | null]>([
    ['abc', undefined, 'abc'],
    ['Bearer abc', undefined, 'abc'],
    ['bearer  Bearer abc ', 'AUTHORIZATION', 'abc'],
    ['Bearer {{ KEY }}', null, '{{ KEY }}'],
    ['Basic dXNlcg==', 'Authorization', 'Basic dXNlcg=='],
    ['Bearerabc', undefined, 'Bearerabc'],
    ['Bearer abc', 'X-Api-Key', 'Bearer abc'],
    ['Bearer ', undefined, null],
    ['Bearer', undefined, null],
    ['  ', 'X-Api-Key', null],
    [null, undefined, null],
  ])('%j for %j becomes %j', (token, header, expected) => {
    expect(tokenAfter(token, header)).toBe(expected);
  });

  it('leaves stdio alone', () => {
    const config = { mcp_server_type: 'stdio', command: 'x', args: [] } as const;
    expect(cleanToken({ ...config, args: [] })).toEqual(config);
  });
});
