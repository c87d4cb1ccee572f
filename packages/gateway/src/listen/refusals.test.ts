import { afterEach, describe, expect, it } from 'vitest';
import type { Gateway } from '../gateway.js';
import { openDoors } from '../test-support/open-doors.js';

let gateway: Gateway | undefined;
afterEach(() => gateway?.close());

const doors = () => {
  const opened = openDoors();
  ({ gateway } = opened);
  return opened;
};

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'];
const OTHER_TYPES = [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'];

describe('the Content-Type of a message', () => {
  it.each(JSON_TYPES)('may be %s', async (type) => {
    const { post, rpc, openSse } = doors();
    const headers = { 'content-type': type };
    expect((await post(rpc('tools/list'), headers)).response.statusCode).toBe(200);
    const { tell } = await openSse();
    expect((await tell(rpc('ping'), headers)).response.statusCode).toBe(202);
  });

  it.each(OTHER_TYPES)('may not be %s, whichever era or door', async (type) => {
    const { post, rpc, modern, openSse } = doors();
    const headers = { 'content-type': type };
    const { tell, stream } = await openSse();
    const { body, headers: fields } = modern('server/discover');
    const answers = [
      await post(rpc('tools/list'), headers),
      await post(rpc('tools/call', { name: 'read' }), headers, '/servers/files/mcp'),
      await post(body, { ...fields, ...headers }),
      await tell(rpc('ping'), headers),
    ];
    for (const answer of answers) {
      expect(answer.response.statusCode).toBe(415);
      expect(answer.json()).toMatchObject({
        id: null,
        error: {
          code: -32600,
          message: expect.stringContaining(type === undefined ? 'no Content-Type' : type.slice(0, 10)),
          data: { code: 'UNSUPPORTED_MEDIA_TYPE', hint: expect.stringContaining('application/json') },
        },
      });
    }
    expect(stream.text()).not.toContain('"result"');
  });
});
