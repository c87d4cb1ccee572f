export {
  AuthorizationServerDouble,
  type AuthorizationCounts,
  type AuthorizationServerOptions,
  type IssuedToken,
} from './authorization-server.js';
export { visit } from './browser-visit.js';
export { type Misbehaviour } from './misbehaviour.js';
export { protectResource, type ProtectedResource, type ProtectedResourceOptions } from './protected-resource.js';
