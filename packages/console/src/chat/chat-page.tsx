import type { Agent } from '@plugboard/contract';
import { Send, Square } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { useAgents } from '../api/agents.js';
import { toApiError } from '../api/api-error.js';
import { useToolsets } from '../api/toolsets.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { visible } from '../ui/format-text.js';
import { ChatLog } from './chat-log.js';
import { useChat } from './use-chat.js';

const ABOUT = 'Talk to an agent and watch what it does with its tools. Conversations are not stored.';

const Playground = ({ agents }: { readonly agents: readonly Agent[] }) => {
  const { data: toolsets = [] } = useToolsets();
  const [agentId, setAgentId] = useState(agents[0]?.id);
  const [toolset, setToolset] = useState('');
  const [approvals, setApprovals] = useState(true);
  const [text, setText] = useState('');
  const chat = useChat();
  const agent = agents.find(({ id }) => id === agentId) ?? agents[0];
  const granted = toolsets.filter(({ id }) => agent?.toolset_ids.includes(id) === true);
  const chosen = granted.find(({ name }) => name === toolset)?.name;
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (agent === undefined || text.trim() === '' || chat.answering) return;
    chat.ask(text.trim(), { agent: agent.name, toolset: chosen, approvals });
    setText('');
  };
  return (
    <div className="chat">
      <div className="filters">
        <Choice
          label="Agent"
          value={agent?.id}
          options={agents.map(({ id, name, model }) => [id, visible(`${name} (${model?.name ?? ''})`)] as const)}
          onChange={setAgentId}
        />
        <Choice
          label="Toolset"
          value={chosen ?? ''}
          options={[['', 'All its tools'], ...granted.map(({ name }) => [name, visible(name)] as const)]}
          onChange={setToolset}
        />
        <label className="check-line">
          <input type="checkbox" checked={approvals} onChange={(event) => setApprovals(event.target.checked)} />
          Ask before tools that may destroy something
        </label>
        <Button disabled={chat.answering || chat.conversation.items.length === 0} onClick={chat.clear}>
          New conversation
        </Button>
      </div>
      {chat.conversation.items.length === 0 ? (
        <div className="chat-log">
          <p className="quiet">
            The agent has the tools and toolsets that are granted on{' '}
            <Link href={`/agents/${agent?.id ?? ''}`}>its page</Link>. What it calls is in Traffic.
          </p>
        </div>
      ) : (
        <ChatLog chat={chat} />
      )}
      <form className="composer" onSubmit={submit}>
        <textarea
          aria-label="Message"
          placeholder="Ask something. Shift+Enter starts a new line."
          rows={2}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
        {chat.answering ? (
          <Button look="danger" icon={<Square size={14} />} onClick={chat.stop}>
            Stop
          </Button>
        ) : (
          <Button look="main" type="submit" icon={<Send size={15} />} disabled={text.trim() === ''}>
            Send
          </Button>
        )}
      </form>
    </div>
  );
};

const NoModels = () => (
  <Empty title="No agent has a model">
    <p>
      Create an agent on <Link href="/agents">Agents</Link>, choose a provider and a model in its tab Model, and set the
      key of the provider in its tab Variables, for example <code>ANTHROPIC_API_KEY</code>.
    </p>
  </Empty>
);

export const ChatPage = () => {
  const agents = useAgents();
  const able = (agents.data ?? []).filter(({ model }) => model !== null && model !== undefined);
  return (
    <Page title="Chat" about={ABOUT}>
      {agents.isError && agents.data === undefined ? <Failure error={toApiError(agents.error)} /> : null}
      {agents.data === undefined && !agents.isError ? <Skeleton lines={5} /> : null}
      {agents.data === undefined ? null : able.length === 0 ? <NoModels /> : <Playground agents={able} />}
    </Page>
  );
};
