import { describe, expect, it } from 'vitest';
import { capabilityFor, capabilityInWords, declares, toModernCapabilities } from './client-capability.js';

describe('capabilities of clients', () => {
  it.each([
    ['sampling/createMessage', {}, { sampling: {} }],
    ['sampling/createMessage', { tools: [] }, { sampling: { tools: {} } }],
    ['elicitation/create', { mode: 'form' }, { elicitation: {} }],
    ['elicitation/create', { mode: 'url' }, { elicitation: { url: {} } }],
    ['roots/list', undefined, { roots: {} }],
    ['vendor/ask', {}, undefined],
  ])('%s %j needs %j', (method, params, needed) => {
    expect(capabilityFor(method, params)).toEqual(needed);
  });

  it.each([
    [{ elicitation: {} }, { elicitation: {} }, true],
    [{ elicitation: { form: {} } }, { elicitation: {} }, true],
    [{ elicitation: { url: {} } }, { elicitation: {} }, false],
    [{ elicitation: { url: {}, form: {} } }, { elicitation: {} }, true],
    [{ elicitation: {} }, { elicitation: { url: {} } }, false],
    [{ elicitation: { url: {} } }, { elicitation: { url: {} } }, true],
    [{}, { roots: {} }, false],
    [{ sampling: {} }, { sampling: { tools: {} } }, false],
  ])('%j covers %j: %s', (declared, needed, covered) => {
    expect(declares(declared, needed)).toBe(covered);
  });

  it.each([
    ['Client does not support sampling (required for sampling/createMessage)', {}, { sampling: {} }],
    ['The client does not support elicitation', {}, { elicitation: {} }],
    [
      "Cannot request input 'llm' (sampling/createMessage): the client on this 2025-era connection did not declare the required capability",
      {},
      { sampling: {} },
    ],
    ['The client does not support sampling', { sampling: {} }, undefined],
    ['Sampling went wrong', {}, undefined],
  ])('"%s" from a client with %j means %j', (text, declared, missing) => {
    expect(capabilityInWords(text, declared)).toEqual(missing);
  });

  it('of a legacy client are declared to a modern server without what the era lacks', () => {
    expect(
      toModernCapabilities({ roots: { listChanged: true }, sampling: {}, tasks: {}, experimental: { a: 1 } }),
    ).toEqual({
      roots: {},
      sampling: {},
      experimental: { a: 1 },
    });
  });
});
