import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** What a stranger's data breaks stays within its frame. */
export class Boundary extends Component<BoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.fallback : this.props.children;
  }
}
