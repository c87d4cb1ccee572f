import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { Button } from './button.js';

interface Told {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  readonly undo: (() => void) | undefined;
}

interface ToldMore {
  readonly tone?: Told['tone'];
  /** Takes it back, for as long as the message is shown. */
  readonly undo?: () => void;
}

type Tell = (text: string, more?: Told['tone'] | ToldMore) => void;

const ToastContext = createContext<Tell>(() => undefined);

/** Tells the outcome of something that a person did. */
export const useToast = (): Tell => useContext(ToastContext);

const MAX_SHOWN = 3;
const SHOW_MS = 6000;

export const ToastProvider = ({ children }: { readonly children: ReactNode }) => {
  const [told, setTold] = useState<readonly Told[]>([]);
  const next = useRef(0);
  const tell = useCallback<Tell>((text, more = {}) => {
    next.current += 1;
    const id = next.current;
    const { tone = 'good', undo } = typeof more === 'string' ? { tone: more } : more;
    setTold((before) => [...before.slice(-MAX_SHOWN + 1), { id, tone, text, undo }]);
  }, []);
  const forget = (id: number): void => setTold((before) => before.filter((one) => one.id !== id));
  return (
    <ToastContext.Provider value={tell}>
      <Toast.Provider duration={SHOW_MS}>
        {children}
        {told.map(({ id, tone, text, undo }) => (
          <Toast.Root key={id} className={`toast ${tone}`} onOpenChange={(open) => !open && forget(id)}>
            <Toast.Description>{text}</Toast.Description>
            {undo === undefined ? null : (
              <Toast.Action altText="Take it back on the page" asChild>
                <Button onClick={undo}>Undo</Button>
              </Toast.Action>
            )}
          </Toast.Root>
        ))}
        <Toast.Viewport className="toasts" />
      </Toast.Provider>
    </ToastContext.Provider>
  );
};
