// Shared by the build and by the page in the browser: an index can only be read as it was written.
export const SEARCH_OPTIONS = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['title', 'heading', 'excerpt'],
  searchOptions: { boost: { heading: 4, title: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
