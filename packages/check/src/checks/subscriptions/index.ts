export { subscriptionChecks } from './subscriptions.js';
