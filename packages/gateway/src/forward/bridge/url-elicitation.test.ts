import { McpProtocolError } from '@plugboard/client';
import { describe, expect, it } from 'vitest';
import { urlQuestionsIn } from './url-elicitation.js';

const refusal = (data: unknown, code = -32042) =>
  new McpProtocolError('UPSTREAM_PROTOCOL', 'm', { rpc: { code, message: 'm', data } });

describe('a legacy server that wants pages opened first', () => {
  it('asks a modern client to open them', () => {
    const elicitations = [
      { mode: 'url', elicitationId: 'e1', url: 'https://a.example', message: 'Log in' },
      { url: 'https://b' },
    ];
    expect(urlQuestionsIn(refusal({ elicitations }))).toEqual({
      e1: { method: 'elicitation/create', params: { mode: 'url', url: 'https://a.example', message: 'Log in' } },
      'url-2': { method: 'elicitation/create', params: { mode: 'url', url: 'https://b' } },
    });
  });

  it.each([
    [refusal({})],
    [refusal({ elicitations: [] })],
    [refusal({ elicitations: [{}] }, -32000)],
    [new Error('x')],
  ])('is not meant by %s', (thrown) => {
    expect(urlQuestionsIn(thrown)).toBeUndefined();
  });
});
