import type { Http1Pool } from '../http1-pool.js';
import type { Http1Request } from '../http1-handler.js';
import { Recorder } from './recorder.js';

export const textRequest = (text: string): Http1Request => ({
  head: 'POST /mcp HTTP/1.1\r\nhost: test\r\ncontent-type: text/plain\r\n',
  body: Buffer.from(text),
});

export const postText = (pool: Http1Pool, text: string, recorder = new Recorder()): Recorder => {
  pool.post(textRequest(text), recorder);
  return recorder;
};

export const answerOf = (text: string, fields = ''): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n${fields}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
