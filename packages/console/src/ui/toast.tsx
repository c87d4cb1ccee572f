import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';

interface Told {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

type Tell = (text: string, tone?: Told['tone']) => void;

const ToastContext = createContext<Tell>(() => undefined);

/** Tells the outcome of something that a person did. */
export const useToast = (): Tell => useContext(ToastContext);

const MAX_SHOWN = 3;
const SHOW_MS = 6000;

export const ToastProvider = ({ children }: { readonly children: ReactNode }) => {
  const [told, setTold] = useState<readonly Told[]>([]);
  const next = useRef(0);
  const tell = useCallback<Tell>((text, tone = 'good') => {
    next.current += 1;
    const id = next.current;
    setTold((before) => [...before.slice(-MAX_SHOWN + 1), { id, tone, text }]);
  }, []);
  const forget = (id: number): void => setTold((before) => before.filter((one) => one.id !== id));
  return (
    <ToastContext.Provider value={tell}>
      <Toast.Provider duration={SHOW_MS}>
        {children}
        {told.map(({ id, tone, text }) => (
          <Toast.Root key={id} className={`toast ${tone}`} onOpenChange={(open) => !open && forget(id)}>
            <Toast.Description>{text}</Toast.Description>
          </Toast.Root>
        ))}
        <Toast.Viewport className="toasts" />
      </Toast.Provider>
    </ToastContext.Provider>
  );
};
