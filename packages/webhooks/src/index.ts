// The public entry `@holdpoint/webhooks`: events for programs, as a part of a server.

export type { Endpoints } from "./endpoints.ts"
export { createEndpoints } from "./endpoints.ts"
export type { EventType } from "./map.ts"
export { eventTypes } from "./map.ts"
export type { WebhookOptions, WebhookSenderOptions } from "./part.ts"
export { createWebhookSender, webhooks } from "./part.ts"
export type { Endpoint, WebhookDelivery } from "./records.ts"
