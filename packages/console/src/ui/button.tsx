import type { ComponentProps, ReactNode } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'main' | 'danger' | 'bare';
  readonly icon?: ReactNode;
  /** Work is in progress: the button shows it and ignores further clicks. */
  readonly busy?: boolean;
}

export const Button = ({ look = 'plain', icon, busy = false, children, disabled, className, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={`button ${look}${className === undefined ? '' : ` ${className}`}`}
    disabled={disabled === true || busy}
    aria-busy={busy}
  >
    {busy ? <span className="spinner" aria-hidden="true" /> : icon}
    {children === undefined ? null : <span>{children}</span>}
  </button>
);
