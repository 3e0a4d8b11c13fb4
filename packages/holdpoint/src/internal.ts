// @holdpoint/sdk/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export type { EmailView } from "./surfaces/email/page-views.ts"
export { emailSection, unsubscribedPage, unsubscribePage } from "./surfaces/email/page-views.ts"
export { deadAddressKind, returnAddressKind, sentMailKind } from "./surfaces/email/records.ts"
export { linkSlackPage, slackCodePage, slackLinkedPage, slackSection } from "./surfaces/slack/page-views.ts"
export { slackEventKind, slackInvitationKind, slackLinkKind, slackLinkRequestKind } from "./surfaces/slack/records.ts"
export type { ProgramWebhookView, WebhookView } from "./surfaces/webhook/page-views.ts"
export { webhookPage, webhookSection } from "./surfaces/webhook/page-views.ts"
export { cursorKind, endpointKind, webhookDeliveryKind } from "./surfaces/webhook/records.ts"
