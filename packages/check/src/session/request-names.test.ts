import { expect, test } from 'vitest';
import { requestNames } from './request-names.js';

test.each([
  ['{"jsonrpc":"2.0","id":1,"method":"prompts/list"}', ['prompts/list']],
  ['{"id":1,"method":"tools/call","params":{"name":"a \\"b\\""}}', ['tools/call of "a \\"b\\""']],
  ['{"id":1,"method":"resources/read","params":{"uri":"test://a"}}', ['resources/read of "test://a"']],
  ['{"id":1,"method":"ping"}\n{"id":2,"method":"ping"}\n{"id":3,"result":{}}', ['ping']],
  ['{"jsonrpc":"2.0","id":7,"method":', ['text that is not JSON']],
  ['[{"id":1,"method":"ping"}]', ['a batch']],
  ['POST /mcp HTTP/1.1\naccept: application/json\n\n{"id":1,"method":"tools/list"}', ['tools/list']],
  [
    'DELETE /mcp HTTP/1.1\nmcp-session-id: 1\n\n\n\nGET /mcp HTTP/1.1\naccept: text/event-stream\n\n',
    ['DELETE', 'GET'],
  ],
  ['', []],
])('names what %j asks for', (sent, names) => {
  expect(requestNames(sent)).toEqual(names);
});
