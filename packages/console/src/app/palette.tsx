import { Command } from 'cmdk';
import { useDeferredValue, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useAgents } from '../api/agents.js';
import { useServers } from '../api/servers.js';
import { useFirstTools } from '../api/tools.js';
import { useToolsets } from '../api/toolsets.js';
import { Dialog } from '../ui/dialog.js';
import { visible } from '../ui/format-text.js';
import { PAGES } from './pages.js';

const MAX_SERVERS = 500;
const MAX_TOOLS = 20;

const Choices = ({ onPick }: { readonly onPick: (path: string) => void }) => {
  const [search, setSearch] = useState('');
  const typed = useDeferredValue(search.trim());
  const { data: servers = [] } = useServers();
  const { data: toolsets = [] } = useToolsets();
  const { data: agents = [] } = useAgents();
  const { data: tools = [] } = useFirstTools(typed, MAX_TOOLS);
  return (
    <Command label="Go to" className="palette">
      <Command.Input
        placeholder="Go to a page, a server, a tool, a toolset or an agent"
        autoFocus
        value={search}
        onValueChange={setSearch}
      />
      <Command.List className="palette-list">
        <Command.Empty className="quiet">Nothing fits.</Command.Empty>
        {PAGES.map(({ path, title }) => (
          <Command.Item key={path} value={title} onSelect={() => onPick(path)}>
            {title}
          </Command.Item>
        ))}
        <Command.Item value="Add a server" onSelect={() => onPick('/servers/new')}>
          Add a server
        </Command.Item>
        {servers.slice(0, MAX_SERVERS).map(({ id, server_name }) => (
          <Command.Item key={id} value={`${server_name} ${id}`} onSelect={() => onPick(`/servers/${id}`)}>
            {visible(server_name)} <span className="quiet">server</span>
          </Command.Item>
        ))}
        {toolsets.map(({ id, name }) => (
          <Command.Item key={id} value={`${name} ${id}`} onSelect={() => onPick(`/toolsets/${id}`)}>
            {visible(name)} <span className="quiet">toolset</span>
          </Command.Item>
        ))}
        {agents.map(({ id, name }) => (
          <Command.Item key={id} value={`${name} ${id}`} onSelect={() => onPick(`/agents/${id}`)}>
            {visible(name)} <span className="quiet">agent</span>
          </Command.Item>
        ))}
        {tools.map(({ id, server_id, upstream_name, metadata }) => (
          <Command.Item
            key={id}
            value={`${upstream_name} ${metadata.mcp.server_name} ${id}`}
            onSelect={() => onPick(`/tools/${server_id}/${id}`)}
          >
            {visible(upstream_name)} <span className="quiet">tool of {visible(metadata.mcp.server_name)}</span>
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
};

/** Ctrl+K or ⌘K: everything by its name. Tools are searched in the hub while somebody types. */
export const Palette = ({
  open,
  onOpenChange,
}: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) => {
  const [, navigate] = useLocation();
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onOpenChange(!open);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [open, onOpenChange]);
  return (
    <Dialog title="Go to" open={open} onOpenChange={onOpenChange}>
      <Choices
        onPick={(path) => {
          onOpenChange(false);
          navigate(path);
        }}
      />
    </Dialog>
  );
};
