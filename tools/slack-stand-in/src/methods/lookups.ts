// Methods that only read: the app's identity, people, workspaces, conversations.

import { type Call, channelOf, isTrue, type Method, refuse, textOf } from "../method.ts"
import { type Channel, directChannel, type Message, type Team, toWire, type User } from "../world.ts"

const authTest: Method = ({ team }) => ({
  url: `https://${team.domain}.slack.com/`,
  team: team.name,
  user: "holdpoint",
  team_id: team.id,
  user_id: team.botUser,
  bot_id: team.botId,
  is_enterprise_install: false,
})

const teamInfo: Method = ({ team }) => ({ team: { id: team.id, name: team.name, domain: team.domain } })

const usersInfo: Method = ({ team, args }) => {
  const user = team.users.get(textOf(args, "user"))
  if (user === undefined) refuse("user_not_found")
  return { user: userToWire(team, user) }
}

const lookupByEmail: Method = ({ team, args }) => {
  const email = textOf(args, "email").toLowerCase()
  const user = [...team.users.values()].find((one) => one.email?.toLowerCase() === email)
  if (user === undefined) refuse("users_not_found")
  return { user: userToWire(team, user) }
}

const open: Method = ({ team, args }) => {
  if (args.channel !== undefined) {
    const channel = team.channels.get(textOf(args, "channel"))
    if (channel === undefined) refuse("channel_not_found")
    return { channel: { id: channel.id } }
  }
  if (args.users === undefined) refuse("users_list_not_supplied")
  const users = textOf(args, "users").split(",")
  if (users.length > 1) refuse("method_not_supported_for_channel_type")
  const user = team.users.get(users[0] as string)
  if (user === undefined) refuse("user_not_found")
  return { channel: { id: directChannel(team, user.id).id } }
}

const info: Method = (call) => ({ channel: channelToWire(channelOf(call)) })

const history: Method = (call) => {
  const channel = channelOf(call)
  const top = call.team.messages.filter(
    (one) => one.channel === channel.id && !one.onlyFor && (one.thread_ts ?? one.ts) === one.ts,
  )
  return pageOf(call, top.toReversed())
}

const replies: Method = (call) => {
  const channel = channelOf(call)
  const ts = textOf(call.args, "ts")
  const all = call.team.messages.filter((one) => one.channel === channel.id && !one.onlyFor)
  const thread = all.find((one) => one.ts === ts)
  if (thread === undefined) refuse("thread_not_found")
  const first = thread.thread_ts ?? ts
  return pageOf(
    call,
    all.filter((one) => one.ts === first || one.thread_ts === first),
  )
}

export const lookupMethods: Readonly<Record<string, Method>> = {
  "auth.test": authTest,
  "team.info": teamInfo,
  "users.info": usersInfo,
  "users.lookupByEmail": lookupByEmail,
  "conversations.open": open,
  "conversations.info": info,
  "conversations.history": history,
  "conversations.replies": replies,
}

/** A page of messages, between `oldest` and `latest`. */
function pageOf({ team, args }: Call, messages: readonly Message[]): Readonly<Record<string, unknown>> {
  const limit = Math.min(Number(args.limit ?? 100), 999)
  if (!Number.isInteger(limit) || limit < 1) refuse("invalid_limit")
  const isInclusive = isTrue(args.inclusive)
  const oldest = Number(args.oldest ?? 0)
  const latest = Number(args.latest ?? Number.MAX_SAFE_INTEGER)
  const within = messages.filter(({ ts }) => {
    const at = Number(ts)
    return isInclusive ? at >= oldest && at <= latest : at > oldest && at < latest
  })
  const from = args.cursor === undefined || args.cursor === "" ? 0 : Number(textOf(args, "cursor").slice(1))
  if (!Number.isInteger(from)) refuse("invalid_cursor")
  const page = within.slice(from, from + limit)
  const hasMore = from + limit < within.length
  return {
    messages: page.map((message) => toWire(team, message, isTrue(args.include_all_metadata))),
    has_more: hasMore,
    ...(hasMore ? { response_metadata: { next_cursor: `p${from + limit}` } } : {}),
  }
}

const userToWire = (team: Team, { id, name, email }: User): Readonly<Record<string, unknown>> => ({
  id,
  team_id: team.id,
  name,
  real_name: name,
  deleted: false,
  tz: "Etc/UTC",
  is_bot: id === team.botUser,
  is_app_user: false,
  is_email_confirmed: email !== undefined,
  profile: { real_name: name, display_name: name, ...(email === undefined ? {} : { email }) },
})

const channelToWire = ({ id, name, kind, members }: Channel): Readonly<Record<string, unknown>> =>
  kind === "im"
    ? { id, is_im: true, is_channel: false, user: members[0] }
    : { id, name, is_im: false, is_channel: true, is_member: true, is_private: false }
