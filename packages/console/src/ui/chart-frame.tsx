import { lazy, type ReactNode, Suspense } from 'react';
import { Boundary } from './boundary.js';
import { Skeleton } from './skeleton.js';

/** Loaded when the first chart is shown. Belongs into a `ChartFrame`. */
export const Chart = lazy(() => import('./chart.js'));

/** Holds charts until they are loaded. Where the browser cannot draw, it refers to the table. */
export const ChartFrame = ({ children }: { readonly children: ReactNode }) => (
  <Boundary fallback={<p className="quiet">This browser cannot show the charts. The table has the figures.</p>}>
    <Suspense fallback={<Skeleton lines={8} />}>{children}</Suspense>
  </Boundary>
);
