import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button.js';
import { useReturnFocus } from './return-focus.js';

interface DialogProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/** The library's own backdrop would add a style element, which the page's policy forbids. */
const Backdrop = () => <div className="backdrop" aria-hidden="true" />;

const Frame = ({ title, about, open, onOpenChange, children, look }: DialogProps & { readonly look: string }) => {
  const focus = useReturnFocus(open);
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Backdrop />
        <Primitive.Content
          className={look}
          {...focus}
          {...(about === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className="dialog-head">
            <Primitive.Title className="dialog-title">{title}</Primitive.Title>
            <Primitive.Close asChild>
              <Button look="bare" icon={<X size={18} />} aria-label="Close" />
            </Primitive.Close>
          </div>
          {about === undefined ? null : <Primitive.Description className="quiet">{about}</Primitive.Description>}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
};

export const Dialog = (props: DialogProps) => <Frame {...props} look={`dialog${props.wide === true ? ' wide' : ''}`} />;

/** Slides in from the side. */
export const Drawer = (props: DialogProps) => <Frame {...props} look="drawer" />;
