import type { WebSessionView } from '@plugboard/contract';
import { Menu } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useHub } from '../api/hub.js';
import { Button } from '../ui/button.js';
import { Drawer } from '../ui/dialog.js';
import { Skeleton } from '../ui/skeleton.js';
import { Connection } from './connection.js';
import { Palette } from './palette.js';
import { MissingPage } from './missing-page.js';
import { Navigation } from './navigation.js';
import { ROUTES } from './pages.js';

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

/** Navigation, the state of the connection, and the page. */
export const Shell = ({ session }: { readonly session: WebSessionView }) => {
  const { live } = useHub();
  const [location] = useLocation();
  const [menuOpen, setMenuOpen] = useState(false);
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
        <Navigation session={session} />
      </aside>
      <div className="bar">
        <Button look="bare" icon={<Menu size={18} />} aria-label="Menu" onClick={() => setMenuOpen(true)} />
        <span className="brand">Plugboard</span>
      </div>
      <Drawer title="Menu" open={menuOpen} onOpenChange={setMenuOpen}>
        <Navigation session={session} />
      </Drawer>
      <Palette />
      <main id="main" ref={main} tabIndex={-1}>
        <Connection />
        <Content />
      </main>
    </div>
  );
};
