import { afterEach, describe, expect, it, vi } from 'vitest';
import { Http, queryText } from './http.js';

const answerWith = (status: number, body: string, headers: Record<string, string> = {}) => {
  const asked = vi.fn<typeof fetch>(async () => new Response(status === 204 ? null : body, { status, headers }));
  vi.stubGlobal('fetch', asked);
  return asked;
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('queryText', () => {
  it('leaves out what is empty and encodes the rest', () => {
    expect(queryText()).toBe('');
    expect(queryText({ search: 'a&b', limit: 5, after: undefined, name: '' })).toBe('?search=a%26b&limit=5');
  });
});

describe('requests to the hub', () => {
  it('prove where they come from and send JSON', async () => {
    const asked = answerWith(200, '{"ok":true}');
    const http = new Http();
    http.csrf = 'token';
    expect(await http.json('/v1/x', { method: 'POST', body: { a: 1 } })).toEqual({ ok: true });
    expect(asked).toHaveBeenCalledWith('/v1/x', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-plugboard-csrf': 'token' },
      body: '{"a":1}',
    });
  });

  it('read a status that is no success if its body is an answer', async () => {
    const answers = {
      status: 503,
      is: (body: unknown) => typeof body === 'object' && body !== null && 'store' in body,
    };
    answerWith(503, '{"store":"failing"}');
    expect(await new Http().json('/ready', { answers })).toEqual({ store: 'failing' });
    await expect(new Http().json('/ready')).rejects.toMatchObject({ status: 503 });
    for (const body of ['<h1>Bad gateway</h1>', '{"error":{"code":"INTERNAL","message":"No."}}', 'null']) {
      answerWith(503, body);
      await expect(new Http().json('/ready', { answers })).rejects.toMatchObject({ status: 503 });
    }
    answerWith(500, '{"store":"failing"}');
    await expect(new Http().json('/ready', { answers })).rejects.toMatchObject({ status: 500 });
  });

  it('read pages and empty answers', async () => {
    answerWith(200, '[1]', { 'x-next-after': 'id' });
    expect(await new Http().page('/v1/x')).toEqual({ entries: [1], next: 'id' });
    answerWith(204, '');
    expect(await new Http().json('/v1/x', { method: 'DELETE' })).toBeUndefined();
  });

  it('tell when the session is over, but not when a sign-in failed', async () => {
    answerWith(401, '{}');
    const http = new Http();
    const out = vi.fn<() => void>();
    http.onSignedOut = out;
    await expect(http.json('/v1/session')).rejects.toMatchObject({ status: 401 });
    expect(out).not.toHaveBeenCalled();
    await expect(http.json('/v1/mcp-servers')).rejects.toMatchObject({ status: 401 });
    expect(out).toHaveBeenCalledOnce();
  });

  it('say that the hub is away, and pass on that somebody gave up', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('refused');
    });
    await expect(new Http().json('/v1/x')).rejects.toMatchObject({ code: 'HUB_UNREACHABLE' });
    vi.stubGlobal('fetch', async () => {
      throw new DOMException('gone', 'AbortError');
    });
    await expect(new Http().json('/v1/x')).rejects.toMatchObject({ name: 'AbortError' });
  });
});
