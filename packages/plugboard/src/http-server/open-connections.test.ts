import { EventEmitter } from 'node:events';
import { Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { trackConnections } from './open-connections.js';

/** About 64 KB each, so that what is kept of many is easy to tell from everything else in the process. */
class WeightyAnswer extends EventEmitter {
  readonly socket: Socket;
  readonly weight = Array.from({ length: 8000 }, (_, index) => ({ index }).index);

  constructor(socket: Socket) {
    super();
    this.socket = socket;
  }
}

const connected = () => {
  const server = new Server();
  const connections = trackConnections(server);
  const socket = new Socket();
  onTestFinished(() => void socket.destroy());
  server.emit('connection', socket);
  const open = (): WeightyAnswer => {
    const answer = new WeightyAnswer(socket);
    connections.noteRequest(answer as unknown as ServerResponse);
    return answer;
  };
  return { connections, open };
};

describe('trackConnections', () => {
  it('tells the answers that are under way, in the order in which they began', () => {
    const { connections, open } = connected();
    const [first, second, third] = [open(), open(), open()];
    expect([...connections.answers()]).toEqual([first, second, third]);
    second.emit('close');
    expect([...connections.answers()]).toEqual([first, third]);
    first.emit('close');
    third.emit('close');
    expect([...connections.answers()]).toEqual([]);
  });

  it('keeps nothing of answers that are over, also when a full collection came in between', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
    const { open } = connected();
    const waiting = [open(), open()];
    // Everything that is alive now moves to where only the next full collection looks.
    collect();
    collect();
    for (const answer of waiting) answer.emit('close');
    const before = process.memoryUsage().heapUsed;
    let last = open();
    for (let count = 0; count < 800; count += 1) {
      const next = open();
      last.emit('close');
      last = next;
      if (count % 20 === 0) collect({ type: 'minor' });
    }
    last.emit('close');
    collect({ type: 'minor' });
    collect({ type: 'minor' });
    expect((process.memoryUsage().heapUsed - before) / (1024 * 1024)).toBeLessThan(5);
  });
});
