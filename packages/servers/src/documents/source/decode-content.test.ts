import { describe, expect, it } from 'vitest';
import { decodeContent } from './decode-content.js';

describe('content', () => {
  it('is text for text formats and base64 for the others', () => {
    expect(Buffer.from(decodeContent('Zoë', 'markdown', 100).bytes).toString()).toBe('Zoë');
    expect(decodeContent('JVBE\nRi0=', 'pdf', 100)).toMatchObject({ hints: { format: 'pdf' } });
    expect(Buffer.from(decodeContent('JVBE\nRi0=', 'pdf', 100).bytes).toString()).toBe('%PDF-');
  });

  it.each([
    ['no format', 'x', undefined, 'INVALID_INPUT'],
    ['no base64', 'not base64!', 'docx', 'INVALID_INPUT'],
    ['nothing', '', 'docx', 'INVALID_INPUT'],
    ['too much', 'x'.repeat(200), 'text', 'TOO_LARGE'],
  ] as const)('with %s is refused', (_what, content, format, code) => {
    expect(() => decodeContent(content, format, 100)).toThrow(expect.objectContaining({ code }));
  });
});
