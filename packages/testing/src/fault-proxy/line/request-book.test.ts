import { expect, test } from 'vitest';
import { RequestBook } from './request-book.js';

test('an answer is matched to its request once, by the type of the id, too', () => {
  const book = new RequestBook();
  book.sent('{"id":1,"method":"tools/call"}');
  book.sent('{"method":"notifications/x"}');
  expect(book.answeredBy('{"id":"1","result":{}}')).toBeUndefined();
  expect(book.answeredBy('{"id":1,"result":{}}')).toContain('tools/call');
  expect(book.answeredBy('{"id":1,"result":{}}')).toBeUndefined();
  expect(book.answeredBy('noise')).toBeUndefined();
});
