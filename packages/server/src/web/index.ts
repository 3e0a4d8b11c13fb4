// The pages: each is a pure function from a view to HTML. They work without a script, and better with it.

export { accountPage, confirmDisconnectPage } from "./account.ts"
export type { AfterAnswerView } from "./after-answer.ts"
export { buttonLabelOf, viaWords } from "./answer-words.ts"
export { assets } from "./assets.ts"
export { type AuthorizeView, authorizePage, returnPage } from "./authorize.ts"
export { shownElsewherePage, takenLinkPage, unknownBrowserPage } from "./browser.ts"
export { confirmAccountPage, connectPage, waitingPage } from "./connect.ts"
export {
  confirmedPage,
  donePage,
  endedPage,
  errorPage,
  signedOutPage,
  singleQuestionsPage,
  unusableLinkPage,
} from "./end-pages.ts"
export { ownPages } from "./frame.ts"
export type { Html } from "./html.ts"
export { inboxPage } from "./inbox.ts"
export { providerRedirectPage } from "./provider-redirect.ts"
export { answeredPage, questionPage } from "./question.ts"
export type { AfterView, ReachView } from "./reach.ts"
export { shorten } from "./shorten.ts"
export { signInPage } from "./sign-in.ts"
export { timelinePage } from "./timeline.ts"
export type {
  AccountView,
  AnsweredView,
  AskingProgramsView,
  AskingProgramView,
  ChoiceGroupView,
  ConfirmAccountView,
  ConnectionView,
  ConnectView,
  HistoryView,
  InboxItem,
  PageLink,
  Popup,
  ProgramView,
  ProjectsView,
  QuestionOf,
  QuestionView,
  ReturnTo,
  SessionView,
  SignedIn,
  TimelineStepView,
  TimelineView,
  VisitView,
  WaitingView,
} from "./views.ts"
export { leavingPage, visitedPage, visitPage } from "./visit.ts"
