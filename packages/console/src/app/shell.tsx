import type { WebSessionView } from '@plugboard/contract';
import { Menu } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Redirect, Route, Switch, useLocation, Link } from 'wouter';
import { useHub, useLiveState } from '../api/hub.js';
import { Button } from '../ui/button.js';
import { Drawer } from '../ui/dialog.js';
import { Skeleton } from '../ui/skeleton.js';
import { Palette } from './palette.js';
import { Navigation } from './navigation.js';
import { ROUTES } from './pages.js';
import { Page } from '../ui/page.js';
import { visible } from '../ui/format-text.js';
import { Notice } from '../ui/notice.js';

/** An address that leads nowhere: mistyped, or of another version. */
const MissingPage = () => {
  const [location] = useLocation();
  return (
    <Page title="No such page">
      <p>
        The console has no page at <code>{visible(location)}</code>.
      </p>
      <p>
        <Link href="/home">Go to Home</Link>
      </p>
    </Page>
  );
};

const Content = () => (
  <Suspense fallback={<Skeleton />}>
    <Switch>
      {ROUTES.map(({ path, page: Content }) => (
        <Route key={path} path={path} component={Content} />
      ))}
      <Route path="/">
        <Redirect to="/home" replace />
      </Route>
      <Route component={MissingPage} />
    </Switch>
  </Suspense>
);

const SHOW_RETURN_MS = 4000;

/** Says when the hub is away, and when it is back. */
const Connection = () => {
  const state = useLiveState();
  const [wasLost, setWasLost] = useState(false);
  useEffect(() => {
    if (state === 'lost') setWasLost(true);
    if (state !== 'live' || !wasLost) return;
    const timer = setTimeout(() => setWasLost(false), SHOW_RETURN_MS);
    return () => clearTimeout(timer);
  }, [state, wasLost]);
  if (state === 'lost') {
    return (
      <div className="connection">
        <Notice tone="warn">The connection to the hub is lost. Reconnecting…</Notice>
      </div>
    );
  }
  if (!wasLost) return null;
  return (
    <div className="connection">
      <Notice tone="good">Reconnected. The page shows the current state again.</Notice>
    </div>
  );
};

/** Navigation, the state of the connection, and the page. */
export const Shell = ({ session }: { readonly session: WebSessionView }) => {
  const { live } = useHub();
  const [location] = useLocation();
  const [menuOpen, setMenuOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    live.open();
    return () => live.close();
  }, [live]);
  // A tab of a page is no new page.
  const page = location.split('/').slice(0, 3).join('/');
  // A reader of the screen is told where it is; the eye sees it anyway.
  useEffect(() => {
    setMenuOpen(false);
    main.current?.focus({ preventScroll: true });
  }, [page]);
  return (
    <div className="shell">
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <aside className="side">
        <Navigation session={session} onSearch={() => setPaletteOpen(true)} />
      </aside>
      <header className="bar">
        <Button look="bare" icon={<Menu size={18} />} aria-label="Menu" onClick={() => setMenuOpen(true)} />
        <span className="brand">Plugboard</span>
      </header>
      <Drawer title="Menu" open={menuOpen} onOpenChange={setMenuOpen}>
        <Navigation
          session={session}
          onSearch={() => {
            setMenuOpen(false);
            setPaletteOpen(true);
          }}
        />
      </Drawer>
      <Palette role={session.role} open={paletteOpen} onOpenChange={setPaletteOpen} />
      <main id="main" ref={main} tabIndex={-1}>
        <Connection />
        <Content />
      </main>
    </div>
  );
};
