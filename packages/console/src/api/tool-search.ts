import { useDeferredValue, useState } from 'react';
import { useNextPage } from './next-page.js';
import { useTools } from './tools.js';

/** The tools that fit what is typed into a search box; further pages are read while somebody scrolls. */
export const useToolSearch = () => {
  const [search, setSearch] = useState('');
  const typed = useDeferredValue(search.trim());
  const found = useTools({ search: typed === '' ? undefined : typed });
  const more = useNextPage(found);
  const tools = (found.data?.pages ?? []).flatMap(({ entries }) => entries);
  return { search, setSearch, tools, more };
};
