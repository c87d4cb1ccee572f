import { useEffect, useRef } from 'react';
import { Markdown } from '../ui/markdown.js';
import { Notice } from '../ui/notice.js';
import { visible } from '../ui/format-text.js';
import type { ChatItem } from './conversation.js';
import { ToolCard } from './tool-card.js';
import type { Chat } from './use-chat.js';

const Item = ({ item, onDecide }: { readonly item: ChatItem; readonly onDecide: Chat['decide'] }) => {
  switch (item.kind) {
    case 'question':
      return <p className="said mine">{visible(item.text)}</p>;
    case 'text':
      return (
        <div className="said formatted">
          <Markdown text={item.text} />
        </div>
      );
    case 'thinking':
      return (
        <details className="quiet">
          <summary>Thinking</summary>
          <p className="said">{visible(item.text)}</p>
        </details>
      );
    case 'call':
      return <ToolCard call={item} onDecide={onDecide} />;
    case 'remark':
      return item.tone === 'bad' ? (
        <Notice tone="bad" title={visible(item.text)}>
          {item.hint === undefined ? null : <p>{item.hint}</p>}
        </Notice>
      ) : (
        <p className="quiet">{item.text}</p>
      );
    default:
      item satisfies never;
      return null;
  }
};

/** What was said. It follows the answer while its end is in sight. */
export const ChatLog = ({ chat: { conversation, answering, decide } }: { readonly chat: Chat }) => {
  const log = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const element = log.current;
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight;
  }, [conversation]);
  return (
    <div
      ref={log}
      className="chat-log"
      role="log"
      aria-label="Conversation"
      aria-busy={answering}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      {conversation.items.map((item, at) => (
        // Items are only added, so their place is their name.
        // oxlint-disable-next-line react/no-array-index-key
        <Item key={at} item={item} onDecide={decide} />
      ))}
    </div>
  );
};
