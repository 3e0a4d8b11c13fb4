// The table of routes: the function that handles each address of the pages.

import { paths } from "@holdpoint/hub"
import { aliases } from "@holdpoint/hub/internal"
import {
  changeReach,
  confirmDisconnect,
  connectForProject,
  disconnect,
  endAllSessions,
  endSession,
  narrowConnection,
  reconnect,
  saveChoices,
  showAccount,
} from "./account.ts"
import { makeProgramKey, removeProgramKey } from "./asking-programs.ts"
import { sendAsset } from "./assets.ts"
import { answerAuthorize, leaveForProgram, showAuthorize } from "./authorize.ts"
import { answerBrowser } from "./browser.ts"
import { sendClientDocument } from "./client-document.ts"
import { aliasConnect, answerConnect, leaveForProvider, showConnect, statusConnect } from "./connect.ts"
import { followInbox } from "./events.ts"
import { answerQuestion, showInbox, showQuestion } from "./inbox.ts"
import { withdrawProgram } from "./programs.ts"
import { arriveAnywhere, arriveAtContext } from "./provider-callback.ts"
import { toRedirect } from "./respond.ts"
import { beginSignIn, finishSignIn, showSignIn, signOut } from "./sign-in.ts"
import type { Route, RouteRow } from "./site.ts"
import { showTimeline } from "./timeline.ts"
import { answerVisit, leaveVisit, showVisit, statusVisit } from "./visit.ts"

const redirectTo =
  (path: string): Route =>
  async () =>
    toRedirect(path)

/** The routes of the pages. The first match is used. */
export const routes: readonly RouteRow[] = [
  { method: "GET", path: paths.start, route: redirectTo(paths.inbox) },
  { method: "GET", path: paths.asset, route: sendAsset },

  { method: "GET", path: paths.signIn, route: showSignIn },
  { method: "GET", path: paths.signInReturn, route: finishSignIn },
  { method: "GET", path: paths.signInReturnOf, route: finishSignIn },
  { method: "GET", path: aliases.signInReturn, route: finishSignIn },
  { method: "GET", path: paths.signInWith, route: beginSignIn },
  { method: "GET", path: paths.signOut, route: redirectTo(paths.account) },
  { method: "POST", path: paths.signOut, route: signOut },

  { method: "POST", path: paths.browser, route: answerBrowser },

  { method: "GET", path: paths.connect, route: showConnect },
  { method: "POST", path: paths.connect, route: answerConnect },
  { method: "GET", path: paths.connectContinue, route: leaveForProvider },
  { method: "GET", path: paths.connectStatus, route: statusConnect },
  ...aliases.connect.map((path) => ({ method: "GET", path, route: aliasConnect }) as const),

  { method: "GET", path: paths.visit, route: showVisit },
  { method: "POST", path: paths.visit, route: answerVisit },
  { method: "GET", path: paths.visitContinue, route: leaveVisit },
  { method: "GET", path: paths.visitStatus, route: statusVisit },

  { method: "GET", path: paths.authorize, route: showAuthorize },
  { method: "POST", path: paths.authorize, route: answerAuthorize },
  { method: "GET", path: paths.authorizeContinue, route: leaveForProgram },

  { method: "GET", path: paths.consentReturn, route: arriveAnywhere },
  { method: "GET", path: aliases.consentReturn, route: arriveAnywhere },
  { method: "GET", path: paths.consentReturnOf, route: arriveAtContext },
  { method: "GET", path: paths.clientDocument, route: sendClientDocument },

  { method: "GET", path: paths.inbox, route: showInbox },
  { method: "GET", path: paths.inboxEvents, route: followInbox },
  { method: "GET", path: paths.question, route: showQuestion },
  { method: "POST", path: paths.question, route: answerQuestion },
  { method: "GET", path: paths.timeline, route: showTimeline },

  { method: "GET", path: paths.account, route: showAccount },
  { method: "GET", path: aliases.account, route: showAccount },
  { method: "GET", path: paths.disconnect, route: confirmDisconnect },
  { method: "POST", path: paths.disconnect, route: disconnect },
  { method: "POST", path: paths.narrow, route: narrowConnection },
  { method: "POST", path: paths.reconnect, route: reconnect },
  { method: "POST", path: paths.withdraw, route: withdrawProgram },
  { method: "POST", path: paths.programKeys, route: makeProgramKey },
  { method: "POST", path: paths.removeProgramKey, route: removeProgramKey },
  { method: "POST", path: paths.choices, route: saveChoices },
  { method: "POST", path: paths.reach, route: changeReach },
  { method: "POST", path: paths.projects, route: connectForProject },
  { method: "POST", path: paths.endAllSessions, route: endAllSessions },
  { method: "POST", path: paths.endSession, route: endSession },
]
