export { paginationChecks } from './pagination.js';
