import { useCallback, useEffect, useRef, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { askAgent, type ChatQuestion, decideCall } from '../api/chat.js';
import { useHttp } from '../api/hub.js';
import {
  asked,
  type CallItem,
  type Conversation,
  decided,
  ended,
  heard,
  messagesOf,
  NOTHING_SAID,
} from './conversation.js';

export interface Chat {
  readonly conversation: Conversation;
  readonly answering: boolean;
  readonly ask: (text: string, question: Omit<ChatQuestion, 'messages'>) => void;
  readonly decide: (call: CallItem, decision: 'once' | 'always' | 'no') => void;
  readonly stop: () => void;
  readonly clear: () => void;
}

/** A conversation with an agent. It lives as long as the page is open. */
export const useChat = (): Chat => {
  const http = useHttp();
  const [conversation, setConversation] = useState(NOTHING_SAID);
  const [answering, setAnswering] = useState(false);
  const latest = useRef(conversation);
  const running = useRef<AbortController | undefined>(undefined);
  const always = useRef(new Set<string>());
  const change = useCallback((next: (before: Conversation) => Conversation): void => {
    latest.current = next(latest.current);
    setConversation(latest.current);
  }, []);
  const stop = useCallback(() => running.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const send = useCallback(
    async (id: string, approve: boolean): Promise<void> => {
      const { completionId } = latest.current;
      if (completionId === undefined) return;
      change((before) => decided(before, id));
      try {
        await decideCall(http, completionId, { call_id: id, approve });
      } catch (thrown) {
        const { message, hint } = toApiError(thrown);
        running.current?.abort();
        change((before) => ended(before, { tone: 'bad', text: message, hint }));
      }
    },
    [http, change],
  );

  const ask = useCallback(
    (text: string, question: Omit<ChatQuestion, 'messages'>): void => {
      const controller = new AbortController();
      running.current = controller;
      change((before) => asked(before, text));
      setAnswering(true);
      const follow = async (): Promise<void> => {
        try {
          const messages = messagesOf(latest.current);
          for await (const chunk of askAgent(http, { ...question, messages }, controller.signal)) {
            change((before) => heard(before, chunk));
            const event = chunk.plugboard;
            if (event?.type !== 'approval') continue;
            const call = latest.current.items.findLast((item) => item.kind === 'call' && item.id === event.id);
            if (call?.kind === 'call' && always.current.has(call.name)) void send(call.id, true);
          }
          change((before) => ended(before));
        } catch (thrown) {
          if (controller.signal.aborted) {
            change((before) => ended(before, { tone: 'quiet', text: 'Stopped.' }));
          } else {
            const { message, hint } = toApiError(thrown);
            change((before) => ended(before, { tone: 'bad', text: message, hint }));
          }
        } finally {
          if (running.current === controller) {
            running.current = undefined;
            setAnswering(false);
          }
        }
      };
      void follow();
    },
    [http, change, send],
  );

  const decide = useCallback<Chat['decide']>(
    ({ id, name }, decision) => {
      if (decision === 'always') always.current.add(name);
      void send(id, decision !== 'no');
    },
    [send],
  );

  const clear = useCallback(() => {
    always.current.clear();
    change(() => NOTHING_SAID);
  }, [change]);

  return { conversation, answering, ask, decide, stop, clear };
};
