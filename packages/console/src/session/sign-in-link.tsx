import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useSignIn } from '../api/session.js';
import { toApiError } from '../api/api-error.js';
import { SignInPage } from './sign-in-page.js';

/** Follows the link that the hub printed when it started. */
export const SignInLink = ({ secret }: { readonly secret: string }) => {
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
