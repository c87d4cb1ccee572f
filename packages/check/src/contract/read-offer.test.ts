import { describe, expect, test } from 'vitest';
import { checkTarget } from '../target/target.js';
import { scriptedServer, type Script } from '../test-support/scripted-server.js';
import { readOffer } from './read-offer.js';

const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });

const read = async (script: Script, opening = {}) => {
  const server = scriptedServer(script, opening);
  const target = checkTarget.parse({ command: ['server'], env: { API_KEY: 's3cret-value' } });
  const outcome = await readOffer(target, { launch: server.launch }).then(
    (offer) => ({ offer, error: '' }),
    (error: unknown) => ({ offer: undefined, error: String(error) }),
  );
  return { ...outcome, asked: server.asked, running: server.running() };
};

describe('what a server offers', () => {
  test('has the tools of all pages, the instructions and the server', async () => {
    const { offer, asked } = await read(
      (method, { cursor }) => {
        if (method !== 'tools/list') return undefined;
        return cursor === 'next'
          ? { result: { tools: [tool('write')] } }
          : { result: { tools: [tool('read')], nextCursor: 'next' } };
      },
      { instructions: 'Read before you write.' },
    );
    expect(offer?.tools.map(({ name }) => name)).toEqual(['read', 'write']);
    expect(offer).toMatchObject({ instructions: 'Read before you write.', transport: 'stdio', era: 'legacy' });
    expect(offer?.server).toMatchObject({ name: 'scripted', version: '1.0.0' });
    expect(asked.map(({ params }) => params['cursor'])).toEqual([undefined, 'next']);
  });

  test('is empty without the capability, and no list is requested', async () => {
    const { offer, asked } = await read(() => undefined, { capabilities: {} });
    expect([offer?.tools, offer?.instructions, asked]).toEqual([[], '', []]);
  });

  test('is an error when the list is refused, without secrets, and the program ends', async () => {
    const { error, running } = await read(() => ({ error: { code: -32_000, message: 'not with s3cret-value' } }));
    expect(error).toContain('The server answered tools/list with error -32000');
    expect(error).not.toContain('s3cret-value');
    expect(running).toBe(0);
  });

  test('is an error when a definition is malformed', async () => {
    const { error } = await read((method) =>
      method === 'tools/list' ? { result: { tools: [{ name: 7 }] } } : undefined,
    );
    expect(error).toContain('The definition of the tool "7" is malformed.');
  });

  test('is an error when the pages do not end', async () => {
    const { error, asked } = await read((method) =>
      method === 'tools/list' ? { result: { tools: [], nextCursor: 'again' } } : undefined,
    );
    expect(error).toContain('more than 1000 pages');
    expect(asked).toHaveLength(1_000);
  });
});
