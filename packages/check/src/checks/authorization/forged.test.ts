import { describe, expect, test } from 'vitest';
import { forgedTokens } from './forged.js';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const genuine = `${part({ alg: 'ES256', kid: 'k' })}.${part({ sub: 'ada', exp: 1 })}.${'Ab3_'.repeat(16)}`;
const claimsOf = (token: string): unknown => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('forged tokens', () => {
  test('are a word and an unsigned one when no genuine one is known', () => {
    const [word, unsigned, ...more] = forgedTokens(undefined, 'https://x.example/mcp');
    expect(more).toEqual([]);
    expect(word?.token).toBe('rubbish');
    expect(unsigned?.token.endsWith('.')).toBe(true);
    expect(claimsOf(unsigned?.token ?? '')).toMatchObject({ aud: 'https://x.example/mcp' });
  });

  test('are none that the genuine one is, each with one thing changed', () => {
    const forged = forgedTokens(genuine, 'https://x.example/mcp').slice(2);
    expect(forged).toHaveLength(3);
    expect(forged.map(({ token }) => token)).not.toContain(genuine);
    const [resigned, reclaimed, unsigned] = forged.map(({ token }) => token.split('.'));
    expect(resigned?.slice(0, 2)).toEqual(genuine.split('.').slice(0, 2));
    expect(resigned?.[2]).toHaveLength(64);
    expect(reclaimed?.[2]).toBe(genuine.split('.')[2]);
    expect(unsigned?.[2]).toBe('');
  });

  test('are not made of an opaque token', () => {
    expect(forgedTokens('f00ba7', 'https://x.example/mcp')).toHaveLength(2);
    expect(forgedTokens('a.b.c', 'https://x.example/mcp')).toHaveLength(2);
  });
});
