// App passwords: issued, rotated and deleted over OCS, created and revoked under Settings > Security.

import type { Area, Call, Reply } from "./area.ts"
import { ifSignedIn, isOwnForm } from "./login.ts"
import { csrfFailed, json, ocs, ocsFailure } from "./replies.ts"
import { createArea, fieldsOf, inOcs } from "./routes.ts"
import { random } from "./world.ts"

function give(call: Call): Reply {
  const { token, world, user, headers } = call
  if (token !== undefined) return ocsFailure(call, 403, "You cannot request an new apppassword with an apppassword")
  return ocs(call, { apppassword: world.issue(user?.id ?? "", headers.get("user-agent") ?? "unknown").secret })
}

function rotate(call: Call): Reply {
  const { token, world } = call
  if (token === undefined) return ocsFailure(call, 403, "no app password in use")
  world.rotate(token)
  return ocs(call, { apppassword: token.secret })
}

function remove(call: Call): Reply {
  const { token, world } = call
  if (token === undefined) return ocsFailure(call, 403, "no app password in use")
  world.tokens.delete(token)
  return ocs(call, [])
}

function confirm(call: Call): Reply {
  const { user, world } = call
  const account = world.users.get(user?.id ?? "")
  if (account?.password !== fieldsOf(call).get("password")) {
    return ocsFailure(call, 403, "", { headers: { "x-nextcloud-bruteforce-throttled": "200ms" } })
  }
  return ocs(call, { lastLogin: Math.floor(world.now() / 1000) })
}

function create(call: Call): Reply {
  const { world, session } = call
  if (!isOwnForm(call)) return csrfFailed()
  const name = fieldsOf(call).get("name") ?? ""
  const secret = Array.from({ length: 5 }, () => random(5)).join("-")
  const token = world.issue(session.user ?? "", name, "app_password", secret)
  const deviceToken = {
    id: token.id,
    name,
    lastActivity: Math.floor(world.now() / 1000),
    type: 1,
    scope: { filesystem: true },
    canDelete: true,
    canRename: true,
  }
  return json(200, { token: secret, loginName: world.users.get(token.user)?.loginName, deviceToken })
}

function revoke(call: Call, id: number): Reply {
  const { world, session } = call
  if (!isOwnForm(call)) return csrfFailed()
  const token = [...world.tokens].find((one) => one.id === id && one.user === session.user)
  if (token === undefined) return json(404, [])
  world.tokens.delete(token)
  return json(200, [])
}

export const appPasswordsArea: Area = createArea([
  ["GET", inOcs("/core/getapppassword"), give],
  ["POST", inOcs("/core/apppassword/rotate"), rotate],
  ["PUT", inOcs("/core/apppassword/confirm"), confirm],
  ["DELETE", inOcs("/core/apppassword"), remove],
  ["POST", "/settings/personal/authtokens", (call) => ifSignedIn(call, create)],
  [
    "DELETE",
    /^\/settings\/personal\/authtokens\/(?<id>\d+)$/,
    (call, { id }) => ifSignedIn(call, () => revoke(call, Number(id))),
  ],
])
