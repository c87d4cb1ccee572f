/** Holds the place of what is being read, so that nothing moves when it comes. */
export const Skeleton = ({ lines = 6 }: { readonly lines?: number }) => (
  <div className="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, at) => (
      <div key={at} className="skeleton-line" />
    ))}
  </div>
);
