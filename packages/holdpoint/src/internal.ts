// @holdpoint/sdk/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export type { Call } from "./asking/records.ts"
export { callKind, entryKind, workerKind } from "./asking/records.ts"
export type { Artifact } from "./identity/authorization/records.ts"
export { artifactKind } from "./identity/authorization/records.ts"
export { personKind } from "./identity/people.ts"
export { programKind } from "./identity/programs/records.ts"
export type { Preference, SignIn } from "./identity/records.ts"
export { preferenceKind, sessionKind, signInKind } from "./identity/records.ts"
export type { EmailView } from "./surfaces/email/page-views.ts"
export { emailSection, unsubscribedPage, unsubscribePage } from "./surfaces/email/page-views.ts"
export { deadAddressKind, returnAddressKind, sentMailKind } from "./surfaces/email/records.ts"
export type { ClientSession } from "./surfaces/mcp/records.ts"
export { callUnderWayKind, clientSessionKind } from "./surfaces/mcp/records.ts"
export { linkSlackPage, slackCodePage, slackLinkedPage, slackSection } from "./surfaces/slack/page-views.ts"
export { slackEventKind, slackInvitationKind, slackLinkKind, slackLinkRequestKind } from "./surfaces/slack/records.ts"
export { accountPage, confirmDisconnectPage } from "./surfaces/web/account.ts"
export type { AfterAnswerView } from "./surfaces/web/after-answer.ts"
export type { AuthorizeView } from "./surfaces/web/authorize.ts"
export { authorizePage } from "./surfaces/web/authorize.ts"
export { shownElsewherePage, takenLinkPage, unknownBrowserPage } from "./surfaces/web/browser.ts"
export { confirmAccountPage, connectPage, waitingPage } from "./surfaces/web/connect.ts"
export {
  confirmedPage,
  donePage,
  endedPage,
  errorPage,
  signedOutPage,
  unusableLinkPage,
} from "./surfaces/web/end-pages.ts"
export { inboxPage } from "./surfaces/web/inbox.ts"
export { providerRedirectPage } from "./surfaces/web/provider-redirect.ts"
export { answeredPage, questionPage } from "./surfaces/web/question.ts"
export type { ReachView } from "./surfaces/web/reach.ts"
export { signInPage } from "./surfaces/web/sign-in.ts"
export { timelinePage } from "./surfaces/web/timeline.ts"
export type {
  AccountView,
  AnsweredView,
  AskingProgramsView,
  ConnectView,
  ProgramView,
  QuestionOf,
  QuestionView,
  TimelineStepView,
  TimelineView,
  VisitView,
} from "./surfaces/web/views.ts"
export { leavingPage, visitedPage, visitPage } from "./surfaces/web/visit.ts"
export type { ProgramWebhookView, WebhookView } from "./surfaces/webhook/page-views.ts"
export { webhookPage, webhookSection } from "./surfaces/webhook/page-views.ts"
export { cursorKind, endpointKind, webhookDeliveryKind } from "./surfaces/webhook/records.ts"
export { sealedWith } from "./testing/contract/record-samples.ts"
export { alice, minute, start } from "./testing/contract/samples.ts"
export { change } from "./vault/change.ts"
export { readContext } from "./vault/context.ts"
export { activate, storeGrant } from "./vault/grants.ts"
export type { Flow, Revocation } from "./vault/records.ts"
export { connectionKind, flowKind, oauthClientKind, revocationKind } from "./vault/records.ts"
