// @holdpoint/server/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export type { Artifact } from "./identity/authorization/records.ts"
export { artifactKind } from "./identity/authorization/records.ts"
export { personKind } from "./identity/people.ts"
export { programKind } from "./identity/programs/records.ts"
export type { Preference, SignIn } from "./identity/records.ts"
export { preferenceKind, sessionKind, signInKind } from "./identity/records.ts"
export { accountPage, confirmDisconnectPage } from "./web/account.ts"
export type { AfterAnswerView } from "./web/after-answer.ts"
export type { AuthorizeView } from "./web/authorize.ts"
export { authorizePage } from "./web/authorize.ts"
export { shownElsewherePage, takenLinkPage, unknownBrowserPage } from "./web/browser.ts"
export { confirmAccountPage, connectPage, waitingPage } from "./web/connect.ts"
export { confirmedPage, donePage, endedPage, errorPage, signedOutPage, unusableLinkPage } from "./web/end-pages.ts"
export { inboxPage } from "./web/inbox.ts"
export { providerRedirectPage } from "./web/provider-redirect.ts"
export { answeredPage, questionPage } from "./web/question.ts"
export type { ReachView } from "./web/reach.ts"
export { signInPage } from "./web/sign-in.ts"
export { timelinePage } from "./web/timeline.ts"
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
} from "./web/views.ts"
export { leavingPage, visitedPage, visitPage } from "./web/visit.ts"
