import type { ComponentProps, MouseEvent, ReactNode } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'main' | 'danger' | 'bare';
  readonly icon?: ReactNode;
  /** Work is in progress: the button shows it and ignores further clicks. It keeps the focus, as a disabled one would not. */
  readonly busy?: boolean;
}

const ignored = (event: MouseEvent<HTMLButtonElement>): void => event.preventDefault();

export const Button = ({ look = 'plain', icon, busy = false, children, className, onClick, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={`button ${look}${className === undefined ? '' : ` ${className}`}`}
    aria-busy={busy}
    {...(busy ? { 'aria-disabled': true } : {})}
    onClick={busy ? ignored : onClick}
  >
    {busy ? <span className="spinner" aria-hidden="true" /> : icon}
    {children === undefined ? null : <span>{children}</span>}
  </button>
);
