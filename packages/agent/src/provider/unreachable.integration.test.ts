import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { userText } from '../conversation/message.js';
import { createProvider } from './choose/create-provider.js';

const closedPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
};

test.each(['openai', 'openai-responses', 'anthropic', 'bedrock'] as const)(
  '%s: a provider that is not there says which address refused',
  async (kind) => {
    const port = await closedPort();
    const provider = createProvider(kind, { baseUrl: `http://127.0.0.1:${port}/v1`, variable: () => 'x' });
    await expect(provider.complete({ model: 'm', messages: [userText('Hi.')] })).rejects.toMatchObject({
      failure: 'connection',
      message: expect.stringContaining(`ECONNREFUSED 127.0.0.1:${port}`) as string,
    });
    provider.close();
  },
);
