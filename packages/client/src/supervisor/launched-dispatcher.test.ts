import { MockAgent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { launchedDispatcher } from './launched-dispatcher.js';
import type { SupervisedProcess } from './supervised-process.js';

const setUp = (acquire?: () => Promise<never>) => {
  let held = 0;
  const lease = () => {
    held += 1;
    return Promise.resolve({ connection: 4321, [Symbol.dispose]: () => (held -= 1) });
  };
  const program = { acquire: acquire ?? lease } as unknown as SupervisedProcess<number>;
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent.get('http://127.0.0.1:4321').intercept({ path: '/mcp', method: 'POST' }).reply(200, 'pong').persist();
  const dispatcher = launchedDispatcher({ program, host: '127.0.0.1', agent });
  const post = () => request('http://somewhere/mcp', { method: 'POST', dispatcher });
  return { dispatcher, post, held: () => held };
};

describe('launchedDispatcher', () => {
  it('sends requests to the port on which the program listens, and holds it with one lease', async () => {
    const { dispatcher, post, held } = setUp();
    expect(await (await post()).body.text()).toBe('pong');
    await (await post()).body.dump();
    expect(held()).toBe(1);
    await dispatcher.close();
    expect(held()).toBe(0);
  });

  it('waits a moment after a broken request, because the end of a program is noticed after that of its connections', async () => {
    let port = 1;
    const program = {
      acquire: () => Promise.resolve({ connection: port, [Symbol.dispose]: () => undefined }),
    } as unknown as SupervisedProcess<number>;
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent.get('http://h:1').intercept({ path: '/', method: 'POST' }).replyWithError(new Error('closed')).persist();
    agent.get('http://h:2').intercept({ path: '/', method: 'POST' }).reply(200, 'pong');
    const dispatcher = launchedDispatcher({ program, host: 'h', agent });
    const post = () => request('http://somewhere/', { method: 'POST', dispatcher });
    await expect(post()).rejects.toThrow('closed');
    setTimeout(() => (port = 2), 10);
    expect(await (await post()).body.text()).toBe('pong');
    await dispatcher.close();
  });

  it('fails requests when the program does not start', async () => {
    const { post } = setUp(() => Promise.reject(new Error('it crashed')));
    await expect(post()).rejects.toThrow('it crashed');
  });
});
