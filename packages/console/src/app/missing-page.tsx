import { Link, useLocation } from 'wouter';
import { Page } from '../ui/page.js';
import { visible } from '../ui/words.js';

/** An address that leads nowhere: mistyped, or of another version. */
export const MissingPage = () => {
  const [location] = useLocation();
  return (
    <Page title="No such page">
      <p>
        The console has no page at <code>{visible(location)}</code>.
      </p>
      <p>
        <Link href="/home">Go to Home</Link>
      </p>
    </Page>
  );
};
