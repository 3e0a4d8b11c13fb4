// The public entry `@holdpoint/webhooks`: events for programs, as a part of a server. Late work is exported for
// code that sends other events.

export type { Due, DueKind, DueWork } from "@holdpoint/hub/internal"
export { change, createDueWork, createWork, isHeld, put } from "@holdpoint/hub/internal"
export type { Endpoints } from "./endpoints.ts"
export { createEndpoints } from "./endpoints.ts"
export type { EventType } from "./map.ts"
export { eventTypes } from "./map.ts"
export type { WebhookOptions, WebhookSenderOptions } from "./part.ts"
export { createWebhookSender, webhooks } from "./part.ts"
export type { Endpoint, WebhookDelivery } from "./records.ts"
