import { useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useSession, useSignIn } from '../api/session.js';
import { SignInPage } from '../session/sign-in-page.js';
import { Button } from '../ui/button.js';
import { Failure } from '../ui/failure.js';
import { Shell } from './shell.js';

const ENDED = 'Your session has ended. Sign in again to return to this page.';

const SignedIn = () => {
  const session = useSession();
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (session.data !== undefined && session.data !== null) wasSignedIn.current = true;
  }, [session.data]);
  if (session.data !== undefined && session.data !== null) return <Shell session={session.data} />;
  if (session.data === null) return <SignInPage reason={wasSignedIn.current ? ENDED : undefined} />;
  if (!session.isError) return <main className="sign-in" aria-busy="true" />;
  return (
    <main className="sign-in">
      <Failure
        error={toApiError(session.error)}
        actions={
          <Button onClick={() => void session.refetch()} busy={session.isFetching}>
            Try again
          </Button>
        }
      />
    </main>
  );
};

/** Follows the link that the hub printed when it started. */
const SignInLink = ({ secret }: { readonly secret: string }) => {
  const [, navigate] = useLocation();
  const { mutate, isError, error } = useSignIn();
  const followed = useRef(false);
  useEffect(() => {
    if (followed.current) return;
    followed.current = true;
    // A used link must not stay in the history of the browser.
    mutate({ link: secret }, { onSuccess: () => navigate('/', { replace: true }) });
  }, [mutate, navigate, secret]);
  if (isError) return <SignInPage reason={`${toApiError(error).message} Sign in with a key.`} />;
  return (
    <main className="sign-in">
      <p role="status">Signing in…</p>
    </main>
  );
};

/** Nothing of the hub is shown before it is known who looks at it. */
export const Gate = () => (
  <Switch>
    <Route path="/sign-in/:secret">{({ secret }) => <SignInLink secret={secret} />}</Route>
    <Route>
      <SignedIn />
    </Route>
  </Switch>
);
