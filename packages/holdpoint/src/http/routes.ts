// Every address of the pages, once.

import {
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
import { arriveAnywhere, arriveAtContext } from "./arrive.ts"
import { sendAsset } from "./assets.ts"
import { answerAuthorize, departAuthorize, showAuthorize } from "./authorize.ts"
import { aliasConnect, answerConnect, departConnect, showConnect, statusConnect } from "./connect.ts"
import { followInbox } from "./events.ts"
import { answerQuestion, showInbox, showQuestion } from "./inbox.ts"
import { withdrawProgram } from "./programs.ts"
import { toRedirect } from "./respond.ts"
import { beginSignIn, finishSignIn, showSignIn, signOut } from "./sign-in.ts"
import type { Route } from "./site.ts"
import { answerVisit, leaveVisit, showVisit, statusVisit } from "./visit.ts"

export interface RouteRow {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly route: Route
}

const goTo =
  (path: string): Route =>
  async () =>
    toRedirect(path)

/** The first that fits counts. */
export const routes: readonly RouteRow[] = [
  { method: "GET", path: "/", route: goTo("/inbox") },
  { method: "GET", path: "/assets/:name", route: sendAsset },

  { method: "GET", path: "/signin", route: showSignIn },
  { method: "GET", path: "/signin/callback", route: finishSignIn },
  { method: "GET", path: "/signin/callback/:provider", route: finishSignIn },
  { method: "GET", path: "/oauth/login-callback", route: finishSignIn },
  { method: "GET", path: "/signin/:provider", route: beginSignIn },
  { method: "GET", path: "/signout", route: goTo("/account") },
  { method: "POST", path: "/signout", route: signOut },

  { method: "GET", path: "/connect/:id", route: showConnect },
  { method: "POST", path: "/connect/:id", route: answerConnect },
  { method: "GET", path: "/connect/:id/continue", route: departConnect },
  { method: "GET", path: "/connect/:id/status", route: statusConnect },
  { method: "GET", path: "/oauth/provision", route: aliasConnect },
  { method: "GET", path: "/oauth/authorize-nextcloud", route: aliasConnect },

  { method: "GET", path: "/visit/:id", route: showVisit },
  { method: "POST", path: "/visit/:id", route: answerVisit },
  { method: "GET", path: "/visit/:id/continue", route: leaveVisit },
  { method: "GET", path: "/visit/:id/status", route: statusVisit },

  { method: "GET", path: "/authorize/:id", route: showAuthorize },
  { method: "POST", path: "/authorize/:id", route: answerAuthorize },
  { method: "GET", path: "/authorize/:id/continue", route: departAuthorize },

  { method: "GET", path: "/oauth/callback", route: arriveAnywhere },
  { method: "GET", path: "/oauth/callback-nextcloud", route: arriveAnywhere },
  { method: "GET", path: "/oauth/callback/:context", route: arriveAtContext },

  { method: "GET", path: "/inbox", route: showInbox },
  { method: "GET", path: "/inbox/events", route: followInbox },
  { method: "GET", path: "/inbox/:id", route: showQuestion },
  { method: "POST", path: "/inbox/:id", route: answerQuestion },

  { method: "GET", path: "/account", route: showAccount },
  { method: "GET", path: "/user/page", route: showAccount },
  { method: "GET", path: "/account/connections/:id/disconnect", route: confirmDisconnect },
  { method: "POST", path: "/account/connections/:id/disconnect", route: disconnect },
  { method: "POST", path: "/account/connections/:id/narrow", route: narrowConnection },
  { method: "POST", path: "/account/connections/:id/reconnect", route: reconnect },
  { method: "POST", path: "/account/programs/:id/withdraw", route: withdrawProgram },
  { method: "POST", path: "/account/choices", route: saveChoices },
  { method: "POST", path: "/account/projects", route: connectForProject },
  { method: "POST", path: "/account/sessions/end-all", route: endAllSessions },
  { method: "POST", path: "/account/sessions/:id/end", route: endSession },
]
