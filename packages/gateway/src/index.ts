export type { CatalogueSource } from './catalogue-source.js';
export type { Answer, Exchange } from './exchange.js';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.js';
export type { UpstreamClient } from './upstream/upstream-client.js';
export { UpstreamPool } from './upstream/upstream-pool.js';
