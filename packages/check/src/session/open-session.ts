import { ChannelSession } from './channel-session.js';
import { HttpSession } from './http-session.js';
import type { Link } from './link.js';
import type { Session, SessionOptions } from './session.js';
import { sseChannel } from './sse-channel.js';
import { stdioChannel } from './stdio-channel.js';

/** A new conversation: a new process, a new session, a new stream. */
export const openSession = async (link: Link, options: SessionOptions): Promise<Session> => {
  const { transport } = link.place;
  if (transport === 'streamable-http') return await new HttpSession(link, options).open();
  const channel = transport === 'stdio' ? stdioChannel(link) : await sseChannel(link);
  const session = new ChannelSession(link, channel, options);
  try {
    return await session.open();
  } catch (error) {
    await channel.close();
    throw error;
  }
};
