// The pages: each a pure function from what it shows to HTML. They need no script, and are better with it.

export { accountPage, confirmDisconnectPage } from "./account.ts"
export { type Asset, assets } from "./assets.ts"
export { type AuthorizeView, authorizePage, type ReturnView, returnPage } from "./authorize.ts"
export { type RefusedBrowserView, shownElsewherePage, takenLinkPage, unknownBrowserPage } from "./browser.ts"
export { confirmAccountPage, connectPage, waitingPage } from "./connect.ts"
export { type DepartView, departPage } from "./depart.ts"
export { confirmedPage, donePage, endedPage, errorPage, signedOutPage, unusableLinkPage } from "./ends.ts"
export type { Html } from "./html.ts"
export { inboxPage } from "./inbox.ts"
export { type Posted, toContent, toValues } from "./map.ts"
export { answeredPage, questionPage } from "./question.ts"
export type { SequelView } from "./sequel.ts"
export { signInPage } from "./sign-in.ts"
export type {
  AccountView,
  AnsweredView,
  ChoiceGroupView,
  ConfirmAccountView,
  ConfirmDisconnectView,
  ConfirmedView,
  ConnectionView,
  ConnectView,
  DoneView,
  EndedView,
  ErrorView,
  HistoryView,
  InboxItem,
  InboxView,
  LeavingView,
  Popup,
  ProgramView,
  ProjectsView,
  QuestionOf,
  QuestionView,
  ReturnTo,
  ScopeView,
  SessionView,
  SignedIn,
  SignedOutView,
  SignInView,
  VisitView,
  WaitingView,
} from "./views.ts"
export { leavingPage, visitedPage, visitPage } from "./visit.ts"
