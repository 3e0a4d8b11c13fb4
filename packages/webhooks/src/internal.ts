// @holdpoint/webhooks/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export type { ProgramWebhookView, WebhookView } from "./page-views.ts"
export { webhookPage, webhookSection } from "./page-views.ts"
export { cursorKind, endpointKind, webhookDeliveryKind } from "./records.ts"
