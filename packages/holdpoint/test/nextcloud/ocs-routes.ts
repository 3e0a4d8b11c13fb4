// The OCS calls of the fake Nextcloud that accounts need: who is it, give, rotate and delete an app password.

import { basicOf, bearerOf, type Call, type Route } from "./call.ts"
import { json } from "./pages.ts"
import type { AppToken, Reply, User } from "./state.ts"

export const ocsRoutes: readonly Route[] = [
  ["GET", "/ocs/v2.php/cloud/user", (call) => ifLoggedIn(call, ({ user }) => ok(userData(user)))],
  ["GET", "/ocs/v2.php/core/getapppassword", (call) => ifLoggedIn(call, getAppPassword)],
  ["POST", "/ocs/v2.php/core/apppassword/rotate", (call) => ifLoggedIn(call, rotate)],
  ["DELETE", "/ocs/v2.php/core/apppassword", (call) => ifLoggedIn(call, remove)],
]

interface Login {
  readonly user: User
  readonly token?: AppToken
}

const ok = (data: unknown): Reply =>
  json(200, { ocs: { meta: { status: "ok", statuscode: 200, message: "OK" }, data } })

export const ocsFailure = (
  status: number,
  message: string,
  { code = status, headers = {} }: { code?: number; headers?: Readonly<Record<string, string>> } = {},
): Reply => json(status, { ocs: { meta: { status: "failure", statuscode: code, message }, data: [] } }, headers)

function getAppPassword({ user, token }: Login, { state, headers }: Call): Reply {
  if (token !== undefined) return ocsFailure(403, "You cannot request an new apppassword with an apppassword")
  return ok({ apppassword: state.issue(user.id, headers["user-agent"] ?? "unknown").secret })
}

function rotate({ token }: Login, { state }: Call): Reply {
  if (token === undefined) return ocsFailure(403, "no app password in use")
  state.rotate(token)
  return ok({ apppassword: token.secret })
}

function remove({ token }: Login, { state }: Call): Reply {
  if (token === undefined) return ocsFailure(403, "no app password in use")
  state.tokens.delete(token)
  return ok([])
}

/** With Bearer nothing is throttled, and no header is needed to show that no page sent it. */
function ifLoggedIn(call: Call, route: (login: Login, call: Call) => Reply): Reply {
  const { state, headers } = call
  const bearer = bearerOf(call)
  const basic = basicOf(call)
  const token = bearer === undefined ? undefined : state.find(bearer)
  if (token !== undefined) return withUser(route({ user: state.users.get(token.user)!, token }, call), token.user)
  if (basic === undefined) return ocsFailure(401, "Current user is not logged in", { code: 997 })
  if (state.isThrottled()) return ocsFailure(429, "Reached maximum delay")
  const login = state.logIn(basic.name, basic.secret)
  if (login === undefined) {
    const challenge = { "www-authenticate": 'Basic realm="Authorisation Required"' }
    return ocsFailure(401, "Unauthorised", { code: 997, headers: challenge })
  }
  if (headers["ocs-apirequest"] === undefined)
    return withUser(json(412, { message: "CSRF check failed" }), login.user.id)
  return withUser(route(login, call), login.user.id)
}

const withUser = (reply: Reply, user: string): Reply => ({
  ...reply,
  headers: { ...reply.headers, "x-user-id": user },
})

function userData({ id, displayName }: User) {
  const personal = ["phone", "address", "website", "twitter", "bluesky", "fediverse", "organisation", "role"]
  const texts = [...personal, "headline", "biography"].flatMap((name) => [
    [name, ""],
    [`${name}Scope`, "v2-local"],
  ])
  return {
    enabled: true,
    id,
    firstLoginTimestamp: 1794726184,
    lastLoginTimestamp: 1794726740,
    lastLogin: 1794726740000,
    backend: "Database",
    subadmin: [],
    quota: { free: -3, used: 19067183, total: -3, relative: 0, quota: -3 },
    manager: "",
    avatarScope: "v2-federated",
    email: `${id}@example.org`,
    emailScope: "v2-federated",
    additional_mail: [],
    additional_mailScope: [],
    displayname: displayName,
    "display-name": displayName,
    displaynameScope: "v2-federated",
    ...Object.fromEntries(texts),
    profile_enabled: "1",
    profile_enabledScope: "v2-local",
    pronouns: "",
    pronounsScope: "v2-federated",
    groups: [],
    language: "en",
    locale: "",
    timezone: "Europe/Berlin",
    notify_email: null,
    backendCapabilities: { setDisplayName: true, setPassword: true },
  }
}
