import { expect, it } from 'vitest';
import { RequestWriter } from './request-writer.js';

const HEAD = 'POST /mcp HTTP/1.1\r\nhost: example.test\r\n';

it('writes a request in one piece', () => {
  const writer = new RequestWriter();
  const request = { head: HEAD, body: Buffer.from('{"id":1}') };
  expect(writer.write(request).toString()).toBe(`${HEAD}content-length: 8\r\n\r\n{"id":1}`);
  expect(writer.leavesOut(request)).toBe(false);
});

it('leaves out a large body, which is sent as it is', () => {
  const writer = new RequestWriter();
  const request = { head: HEAD, body: Buffer.alloc(65_537) };
  expect(writer.write(request).toString()).toBe(`${HEAD}content-length: 65537\r\n\r\n`);
  expect(writer.leavesOut(request)).toBe(true);
  expect(writer.write({ head: HEAD, body: Buffer.alloc(65_536, 'x') }).length).toBe(
    `${HEAD}content-length: 65536\r\n\r\n`.length + 65_536,
  );
});

it('writes another head when it differs from the one before', () => {
  const writer = new RequestWriter();
  writer.write({ head: HEAD, body: Buffer.from('1') });
  const other = HEAD.replace('example', 'other');
  expect(writer.write({ head: other, body: Buffer.alloc(0) }).toString()).toBe(`${other}content-length: 0\r\n\r\n`);
});
