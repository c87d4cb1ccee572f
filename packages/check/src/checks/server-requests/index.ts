export { serverRequestChecks } from './server-requests.js';
