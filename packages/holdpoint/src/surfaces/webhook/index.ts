// The public entry `@holdpoint/sdk/webhooks`: where programs are sent events. `createHoldpoint` sends them.

export type { Endpoints } from "./endpoints.ts"
export { createEndpoints } from "./endpoints.ts"
export type { EventType } from "./map.ts"
export { eventTypes } from "./map.ts"
export type { Endpoint, WebhookDelivery } from "./records.ts"
