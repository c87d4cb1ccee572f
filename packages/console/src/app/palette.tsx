import { Command } from 'cmdk';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useServers } from '../api/servers.js';
import { Dialog } from '../ui/dialog.js';
import { visible } from '../ui/words.js';
import { PAGES } from './pages.js';

const MAX_SERVERS = 500;

const Choices = ({ onPick }: { readonly onPick: (path: string) => void }) => {
  const { data: servers = [] } = useServers();
  return (
    <Command label="Go to" className="palette">
      <Command.Input placeholder="Go to a page or a server" autoFocus />
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
      </Command.List>
    </Command>
  );
};

/** Ctrl+K or ⌘K: everything by its name. */
export const Palette = () => {
  const [open, setOpen] = useState(false);
  const [, navigate] = useLocation();
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <Dialog title="Go to" open={open} onOpenChange={setOpen}>
      <Choices
        onPick={(path) => {
          setOpen(false);
          navigate(path);
        }}
      />
    </Dialog>
  );
};
