import { describe, expect, it } from 'vitest';
import { clientOf, emptyScope } from '../test-support/call.js';
import { EventLog } from './event-log.js';
import { HttpSession } from './http-session.js';
import { type EventSink, ResumableStream } from './resumable-stream.js';

const sinkOf = () => {
  const sent: { readonly data: string; readonly id: string | undefined }[] = [];
  const sink = {
    open: true,
    send: (data: string, id?: string) => sent.push({ data, id }),
    end: () => {
      sink.open = false;
    },
  };
  return { sink: sink as EventSink & { open: boolean }, sent, texts: () => sent.map(({ data }) => data) };
};

describe('a stream that can be resumed', () => {
  it('keeps what nobody took, and gives the rest after a break', () => {
    const stream = new ResumableStream(1, new EventLog({ prefix: 'p' }));
    stream.send('early');
    const first = sinkOf();
    stream.attach(first.sink);
    stream.send('one');
    first.sink.open = false;
    stream.send('two');
    const second = sinkOf();
    stream.attach(second.sink, first.sent.at(-1)?.id);
    stream.end();
    expect([first.texts(), second.texts(), second.sink.open]).toEqual([['early', 'one'], ['two'], false]);
  });

  it('starts with an id and no data', () => {
    const stream = new ResumableStream(1, new EventLog({ prefix: 'p' }));
    const id = stream.prime();
    stream.send('x');
    const sink = sinkOf();
    stream.attach(sink.sink, id);
    expect(sink.texts()).toEqual(['x']);
  });
});

describe('the streams of a session', () => {
  it('carry unasked messages on the general one, and resume the one that broke', () => {
    const holder = new HttpSession(emptyScope, clientOf('2025-11-25'));
    holder.session.channel.notify({ jsonrpc: '2.0', method: 'n' });
    const general = sinkOf();
    holder.connect(general.sink, undefined);
    expect(general.texts()).toEqual(['{"jsonrpc":"2.0","method":"n"}']);
    const stream = holder.openStream();
    const id = stream.prime();
    stream.send('answer');
    holder.closeStream(stream);
    const again = sinkOf();
    holder.connect(again.sink, id);
    expect([again.texts(), again.sink.open]).toEqual([['answer'], false]);
    const late = sinkOf();
    holder.connect(late.sink, id);
    expect([late.texts(), late.sink.open]).toEqual([['answer'], false]);
    holder.session.end();
    expect(general.sink.open).toBe(false);
  });
});
