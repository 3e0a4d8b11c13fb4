// Login, and login flow v2: start, pages, grant, poll.

import type { Area, Call, Reply } from "./area.ts"
import { errorPage, grantButtonsPage, grantedPage, grantPage, loginPage, page, pickerPage } from "./pages.ts"
import { csrfFailed, json, notLoggedIn, redirect } from "./replies.ts"
import { createArea, fieldsOf } from "./routes.ts"
import { type Account, type LoginFlow, random, type World } from "./world.ts"

function start({ world, headers, pages }: Call): Reply {
  const device = headers.get("user-agent") ?? "unknown"
  const flow: LoginFlow = { pollToken: world.reportSecret("poll_token", random(128)), loginToken: random(128), device }
  world.flows.add(flow)
  const login = `${pages}/login/v2/flow/${flow.loginToken}`
  return json(200, { poll: { token: flow.pollToken, endpoint: `${pages}/login/v2/poll` }, login })
}

function poll(call: Call): Reply {
  const { world, url } = call
  const token = fieldsOf(call).get("token")
  if (token === undefined) return errorPage(500)
  const flow = [...world.flows].find(({ pollToken }) => pollToken === token)
  if (flow?.granted === undefined) return json(404, [])
  world.flows.delete(flow)
  const loginName = world.users.get(flow.granted.user)?.loginName
  return json(200, { server: url, loginName, appPassword: flow.granted.secret })
}

function startFlow({ world, session, pages }: Call, token: string): Reply {
  if (flowOf(world, token) === undefined) return errorPage(403)
  session.loginToken = token
  return redirect(`${pages}/login/v2/flow?user=&direct=0`)
}

function showAccountPicker({ world, session, url }: Call): Reply {
  const flow = flowOf(world, session.loginToken)
  if (flow === undefined) return errorPage(403)
  session.stateToken = random(64)
  if (world.grantButtons) {
    const hiddenFields = { stateToken: session.stateToken, requesttoken: session.requestToken }
    const names = peopleOf(world).map(({ loginName }) => loginName)
    return grantButtonsPage(`${url}/index.php${grantAtOncePath}`, { names, device: flow.device }, hiddenFields)
  }
  return pickerPage(flow.device, `${url}/index.php/login/v2/grant?stateToken=${session.stateToken}&user=`)
}

function showGrant({ world, session, query, url }: Call): Reply {
  const flow = flowOf(world, session.loginToken)
  if (flow === undefined || query.get("stateToken") !== session.stateToken) return errorPage(403)
  const hiddenFields = { stateToken: session.stateToken ?? "", requesttoken: session.requestToken }
  const user = world.users.get(session.user ?? "")?.displayName ?? ""
  return grantPage(`${url}/index.php/login/v2/grant`, { user, device: flow.device }, hiddenFields)
}

function grant(call: Call): Reply {
  const { world, session } = call
  const fields = fieldsOf(call)
  if (!isOwnForm(call)) return csrfFailed()
  const flow = flowOf(world, session.loginToken)
  if (flow === undefined || fields.get("stateToken") !== session.stateToken) return errorPage(403)
  grantFlow(world, flow, session.user ?? "")
  delete session.loginToken
  return grantedPage()
}

const grantAtOncePath = "/login/v2/grant-at-once"

/** Handles the demo's buttons, which sign in and grant access in one request. They exist only if switched on. */
function grantAtOnce(call: Call): Reply {
  const { world, session } = call
  const name = fieldsOf(call).get("user")
  const person = peopleOf(world).find(({ loginName }) => loginName === name)
  if (!world.grantButtons || person === undefined) return errorPage(404)
  if (!isOwnForm(call)) return csrfFailed()
  session.user = person.id
  return grant(call)
}

/** Grants a login flow as this user. */
export function grantFlow(world: World, flow: LoginFlow, user: string): void {
  flow.granted = world.issue(user, flow.device)
}

export const flowOf = (world: World, loginToken: string | undefined): LoginFlow | undefined =>
  [...world.flows].find((flow) => flow.loginToken === loginToken && flow.granted === undefined)

/** Whether the form comes from a page of this server: only its pages know the session's request token. */
export function isOwnForm(call: Call): boolean {
  const requestToken = call.headers.get("requesttoken") ?? fieldsOf(call).get("requesttoken")
  return requestToken === call.session.requestToken
}

function showLogin({ world, session, query, url }: Call): Reply {
  const hiddenFields = { requesttoken: session.requestToken, redirect_url: query.get("redirect_url") ?? "" }
  const failed = query.get("user")
  const hintedPeople = world.hints ? peopleOf(world) : []
  return loginPage({
    action: `${url}/index.php/login`,
    hiddenFields,
    hints: hintedPeople.map(({ loginName, password }) => ({ name: loginName, password })),
    ...(failed === null ? {} : { failed }),
  })
}

/** The two accounts that the pages name: the first ones that are not an administrator's. */
const peopleOf = (world: World): readonly Account[] =>
  [...world.users.values()].filter(({ groups }) => !groups.includes("admin")).slice(0, 2)

function logIn(call: Call): Reply {
  const { world, session, url, pages } = call
  const fields = fieldsOf(call)
  if (!isOwnForm(call)) return csrfFailed()
  const redirectUrl = fields.get("redirect_url") ?? ""
  const name = fields.get("user") ?? ""
  const login = world.logIn(name, fields.get("password") ?? "")
  if (typeof login === "string") {
    return redirect(`${url}/index.php/login?${new URLSearchParams({ user: name, redirect_url: redirectUrl })}`)
  }
  session.user = login.user.id
  // Redirects to this server only: a path that begins with two slashes is another server's.
  return redirect(/^\/(?![/\\])/.test(redirectUrl) ? `${url}${redirectUrl}` : `${pages}/apps/dashboard/`)
}

/** Calls `answer` for a signed-in session. Otherwise programs get the recorded 401, and browsers the login page. */
export function ifSignedIn(call: Call, answer: (call: Call) => Reply): Reply {
  const { session, headers, path, query, url } = call
  if (session.user !== undefined) return answer(call)
  if (!headers.get("accept")?.includes("text/html")) return notLoggedIn()
  const loginQuery = new URLSearchParams({ redirect_url: `/index.php${path}?${query}` })
  return redirect(`${url}/index.php/login?${loginQuery}`)
}

function logOut({ session, url }: Call): Reply {
  delete session.user
  return redirect(`${url}/index.php/login?clear=1`)
}

/** Any page of the web interface, for a signed-in user. */
const webPage = ({ path }: Call): Reply => {
  const app = /^\/apps\/([\w-]+)/.exec(path)?.[1] ?? "files"
  const title = `${app.charAt(0).toUpperCase()}${app.slice(1)} - Nextcloud`
  return page(200, title, "<p>The web interface is not part of this stand-in.</p>")
}

export const loginArea: Area = createArea([
  ["POST", "/login/v2", start],
  ["POST", "/login/v2/poll", poll],
  ["GET", /^\/login\/v2\/flow\/(?<token>\w+)$/, (call, { token }) => startFlow(call, token ?? "")],
  ["GET", "/login/v2/flow", showAccountPicker],
  ["GET", "/login/v2/grant", (call) => ifSignedIn(call, showGrant)],
  ["POST", "/login/v2/grant", (call) => ifSignedIn(call, grant)],
  ["POST", grantAtOncePath, grantAtOnce],
  ["GET", "/login", showLogin],
  ["POST", "/login", logIn],
  ["GET", "/logout", logOut],
  ["GET", "/csrftoken", ({ session }) => json(200, { token: session.requestToken })],
  ["GET", /^\/apps\/(dashboard|files|notes|deck|calendar|contacts|tables)\/?$/, (call) => ifSignedIn(call, webPage)],
])
