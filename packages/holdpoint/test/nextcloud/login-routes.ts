// Signing in to the fake Nextcloud, and its login flow v2: start, pages, grant, poll.

import { noteCanary } from "../../../../test/canaries/note.ts"
import type { Call, Route } from "./call.ts"
import { errorPage, grantPage, json, loginPage, page, pickerPage, redirect } from "./pages.ts"
import { type LoginFlow, type Reply, random, type State } from "./state.ts"

export const loginRoutes: readonly Route[] = [
  ["POST", "/login/v2", start],
  ["POST", "/login/v2/poll", poll],
  ["GET", /^\/login\/v2\/flow\/(?<token>\w+)$/, land],
  ["GET", "/login/v2/flow", pick],
  ["GET", "/login/v2/grant", (call) => ifSignedIn(call, showGrant)],
  ["POST", "/login/v2/grant", (call) => ifSignedIn(call, grant)],
  ["GET", "/login", showLogin],
  ["POST", "/login", logIn],
]

function start({ state, headers, url }: Call): Reply {
  const device = headers["user-agent"] ?? "unknown"
  const flow: LoginFlow = { pollToken: random(128), loginToken: random(128), device }
  state.flows.add(flow)
  noteCanary("poll_token", flow.pollToken)
  const login = `${url}/login/v2/flow/${flow.loginToken}`
  return json(200, { poll: { token: flow.pollToken, endpoint: `${url}/login/v2/poll` }, login })
}

function poll({ state, fields, url }: Call): Reply {
  const token = fields.get("token")
  if (token === undefined) return errorPage(500)
  const flow = [...state.flows].find(({ pollToken }) => pollToken === token)
  if (flow?.granted === undefined) return json(404, [])
  state.flows.delete(flow)
  return json(200, { server: url, loginName: flow.granted.user, appPassword: flow.granted.secret })
}

function land({ state, path, session, url }: Call): Reply {
  const token = path.slice(path.lastIndexOf("/") + 1)
  if (flowOf(state, token) === undefined) return errorPage(403)
  session.loginToken = token
  return redirect(`${url}/login/v2/flow?user=&direct=0`)
}

function pick({ state, session, url }: Call): Reply {
  const flow = flowOf(state, session.loginToken)
  if (flow === undefined) return errorPage(403)
  session.stateToken = random(64)
  return pickerPage(flow.device, `${url}/index.php/login/v2/grant?stateToken=${session.stateToken}&user=`)
}

function showGrant({ state, session, query, url }: Call): Reply {
  const flow = flowOf(state, session.loginToken)
  if (flow === undefined || query.get("stateToken") !== session.stateToken) return errorPage(403)
  const hidden = { stateToken: session.stateToken ?? "", requesttoken: session.requestToken }
  return grantPage(`${url}/index.php/login/v2/grant`, { user: session.user ?? "", device: flow.device }, hidden)
}

function grant({ state, session, fields }: Call): Reply {
  if (fields.get("requesttoken") !== session.requestToken) return json(412, { message: "CSRF check failed" })
  const flow = flowOf(state, session.loginToken)
  if (flow === undefined || fields.get("stateToken") !== session.stateToken) return errorPage(403)
  grantFlow(state, flow, session.user ?? "")
  delete session.loginToken
  return page(200, "Account connected", "<p>Your client should now be connected! You can close this window.</p>")
}

export function grantFlow(state: State, flow: LoginFlow, user: string): void {
  flow.granted = state.issue(user, flow.device)
}

export const flowOf = (state: State, loginToken: string | undefined): LoginFlow | undefined =>
  [...state.flows].find((flow) => flow.loginToken === loginToken && flow.granted === undefined)

function showLogin({ session, query, url }: Call): Reply {
  const hidden = { requesttoken: session.requestToken, redirect_url: query.get("redirect_url") ?? "" }
  return loginPage(`${url}/index.php/login`, hidden, query.has("user"))
}

function logIn({ state, session, fields, url }: Call): Reply {
  if (fields.get("requesttoken") !== session.requestToken) return json(412, { message: "CSRF check failed" })
  const to = fields.get("redirect_url") || "/apps/dashboard/"
  const found = state.logIn(fields.get("user") ?? "", fields.get("password") ?? "")
  if (found === undefined) {
    const again = new URLSearchParams({ user: fields.get("user") ?? "", redirect_url: to })
    return redirect(`${url}/index.php/login?${again}`)
  }
  session.user = found.user.id
  return redirect(`${url}${to}`)
}

/** Recorded for programs: 401. That browsers are led to the login page is as the real one's code has it. */
export function ifSignedIn(call: Call, route: (call: Call) => Reply): Reply {
  const { session, headers, path, query, url } = call
  if (session.user !== undefined) return route(call)
  if (!headers.accept?.includes("text/html")) return json(401, { message: "Current user is not logged in" })
  const to = new URLSearchParams({ redirect_url: `/index.php${path}?${query}` })
  return redirect(`${url}/index.php/login?${to}`)
}
