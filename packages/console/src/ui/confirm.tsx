import type { ReactNode } from 'react';
import { AlertDialog } from 'radix-ui';
import { Button } from './button.js';
import { useReturnFocus } from './return-focus.js';

interface ConfirmProps {
  readonly title: string;
  /** What goes along. */
  readonly children: ReactNode;
  readonly action: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onConfirm: () => void;
}

/** Asks before something is destroyed. */
export const Confirm = ({ title, children, action, open, onOpenChange, onConfirm }: ConfirmProps) => {
  const focus = useReturnFocus(open);
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <div className="backdrop" aria-hidden="true" />
        <AlertDialog.Content className="dialog" {...focus}>
          <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="quiet">{children}</div>
          </AlertDialog.Description>
          <div className="actions end">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button look="danger" onClick={onConfirm}>
                {action}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};
