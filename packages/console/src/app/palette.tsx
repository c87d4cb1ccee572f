import type { Role } from '@plugboard/contract';
import { Command } from 'cmdk';
import { useDeferredValue, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useAgents } from '../api/agents.js';
import { useServers } from '../api/servers.js';
import { useFirstTools } from '../api/tools.js';
import { useToolsets } from '../api/toolsets.js';
import { Dialog } from '../ui/dialog.js';
import { visible } from '../ui/format-text.js';
import { type Destination, fitting } from './destination.js';
import { pagesFor } from './pages.js';

const MAX_SHOWN = 100;
const MAX_TOOLS = 20;

/** Where the palette leads to, by what is typed. The hub finds the tools, which may be many. */
const useDestinations = (role: Role, typed: string): readonly Destination[] => {
  const { data: servers = [] } = useServers();
  const { data: toolsets = [] } = useToolsets();
  const { data: agents = [] } = useAgents();
  const { data: tools = [] } = useFirstTools(typed, MAX_TOOLS);
  const known: readonly Destination[] = [
    ...pagesFor(role).map(({ path, title }) => ({ path, name: title })),
    { path: '/servers/new', name: 'Add a server' },
    ...servers.map(({ id, server_name }) => ({ path: `/servers/${id}`, name: server_name, kind: 'server' })),
    ...toolsets.map(({ id, name }) => ({ path: `/toolsets/${id}`, name, kind: 'toolset' })),
    ...agents.map(({ id, name }) => ({ path: `/agents/${id}`, name, kind: 'agent' })),
  ];
  return [
    ...fitting(known, typed, MAX_SHOWN),
    ...tools.map(({ id, server_id, upstream_name, metadata }) => ({
      path: `/tools/${server_id}/${id}`,
      name: upstream_name,
      kind: `tool of ${metadata.mcp.server_name}`,
    })),
  ];
};

interface ChoicesProps {
  readonly role: Role;
  readonly onPick: (path: string) => void;
}

const Choices = ({ role, onPick }: ChoicesProps) => {
  const [search, setSearch] = useState('');
  const typed = useDeferredValue(search.trim());
  const destinations = useDestinations(role, typed);
  const [picked, setPicked] = useState('');
  // What was picked may have left the list; tools come into it later.
  const selected = destinations.some(({ path }) => path === picked) ? picked : destinations[0]?.path;
  return (
    <Command label="Go to" className="palette" shouldFilter={false} value={selected ?? ''} onValueChange={setPicked}>
      <Command.Input
        placeholder="Go to a page, a server, a tool, a toolset or an agent"
        autoFocus
        value={search}
        onValueChange={setSearch}
      />
      <Command.List className="palette-list">
        <Command.Empty className="quiet">Nothing fits.</Command.Empty>
        {destinations.map(({ path, name, kind }) => (
          <Command.Item key={path} value={path} onSelect={() => onPick(path)}>
            {visible(name)} {kind === undefined ? null : <span className="quiet">{visible(kind)}</span>}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
};

interface PaletteProps {
  readonly role: Role;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Ctrl+K or ⌘K: everything by its name. */
export const Palette = ({ role, open, onOpenChange }: PaletteProps) => {
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
        role={role}
        onPick={(path) => {
          onOpenChange(false);
          navigate(path);
        }}
      />
    </Dialog>
  );
};
