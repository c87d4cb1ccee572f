import { useRef } from 'react';

/**
 * A dialog that is opened by state has no trigger that the library could return the focus to. What had the focus gets it
 * back. If that has left the page, or the dialog led to another page, the content gets it, unless something else has it.
 */
export const useReturnFocus = (open: boolean) => {
  const wasOpen = useRef(false);
  const before = useRef({ opener: null as Element | null, page: '' });
  // Read while rendering: afterwards, a field of the dialog may have taken the focus already.
  if (open && !wasOpen.current) before.current = { opener: document.activeElement, page: window.location.hash };
  wasOpen.current = open;
  const onCloseAutoFocus = (event: Event): void => {
    event.preventDefault();
    const { activeElement, body } = document;
    if (activeElement !== null && activeElement !== body) return;
    const { opener, page } = before.current;
    const canReturn = page === window.location.hash && opener instanceof HTMLElement && opener.isConnected;
    if (canReturn && opener !== body) opener.focus();
    if (document.activeElement === body) document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
  };
  return { onCloseAutoFocus };
};
