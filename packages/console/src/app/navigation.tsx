import type { WebSessionView } from '@plugboard/contract';
import { BookOpen, LogOut, Monitor, Moon, Search, Sun } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useSignOut } from '../api/session.js';
import { Button } from '../ui/button.js';
import { pagesFor } from './pages.js';
import { type Theme, useTheme } from './theme.js';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

const ThemeButton = () => {
  const [theme, setTheme] = useTheme();
  const Icon = ICONS[theme];
  return (
    <Button
      look="bare"
      icon={<Icon size={16} />}
      aria-label={`Theme: ${theme}. Switch to ${NEXT[theme]}.`}
      title={`Theme: ${theme}`}
      onClick={() => setTheme(NEXT[theme])}
    />
  );
};

const SHORTCUT = /Mac|iPhone|iPad/u.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

interface NavigationProps {
  readonly session: WebSessionView;
  readonly onSearch: () => void;
}

export const Navigation = ({ session, onSearch }: NavigationProps) => {
  const [location] = useLocation();
  const signOut = useSignOut();
  return (
    <div className="navigation">
      <p className="brand">
        <img src="/console/favicon.svg" alt="" width={22} height={22} /> Plugboard
      </p>
      <button type="button" className="nav-search" onClick={onSearch}>
        <Search size={15} /> Go to… <kbd>{SHORTCUT}</kbd>
      </button>
      <nav aria-label="Pages">
        <ul>
          {pagesFor(session.role).map(({ path, title, icon: Icon }) => {
            const here = location === path || location.startsWith(`${path}/`);
            return (
              <li key={path}>
                <Link href={path} className="nav-link" {...(here ? { 'aria-current': 'page' as const } : {})}>
                  <Icon size={16} /> {title}
                </Link>
              </li>
            );
          })}
        </ul>
      </nav>
      <div className="nav-foot">
        <a className="nav-link" href="/docs" target="_blank" rel="noreferrer">
          <BookOpen size={16} /> Documentation
        </a>
        <div className="who">
          <span className="who-name" title={session.principal}>
            {session.principal}
          </span>
          <span className="quiet who-role">{session.role}</span>
          <ThemeButton />
          <Button
            look="bare"
            icon={<LogOut size={16} />}
            aria-label="Sign out"
            title="Sign out"
            onClick={() => signOut.mutate()}
          />
        </div>
      </div>
    </div>
  );
};
