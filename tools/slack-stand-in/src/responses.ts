// response_url: an app may answer an interaction five times within thirty minutes.
// https://docs.slack.dev/interactivity/handling-user-interaction#message_responses

import type { Fields } from "./limits/check.ts"
import { checkMessage } from "./limits/messages.ts"
import { isTrue } from "./method.ts"
import { contentsOf } from "./methods/chat.ts"
import { messageAt, replaceMessage, type World } from "./world.ts"

const mostUses = 5
const goodForMs = 30 * 60_000

export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

export function answerResponse(world: World, id: string, args: Fields): HttpAnswer {
  const address = world.responses.get(id)
  const team = address && world.teams.get(address.team)
  if (address === undefined || team === undefined) return { status: 404, body: "used_url" }
  if (world.clock.now() - address.at > goodForMs) return { status: 404, body: "expired_url" }
  if (address.uses >= mostUses) return { status: 404, body: "used_url" }
  address.uses += 1
  const message = messageAt(team, address.channel, address.ts)
  if (isTrue(args.delete_original)) {
    if (message !== undefined) team.messages.splice(team.messages.indexOf(message), 1)
    world.changed()
    return { status: 200, body: "ok" }
  }
  const refused = checkMessage(args, "post")
  if (refused !== undefined) return { status: 400, body: refused.error }
  if (isTrue(args.replace_original) && message !== undefined) {
    const { blocks: _blocks, ...rest } = message
    replaceMessage(team, { ...rest, ...contentsOf(args) })
  } else {
    const thread = (args.thread_ts as string | undefined) ?? address.thread
    team.messages.push({
      ts: world.newTs(),
      channel: address.channel,
      user: team.botUser,
      bot_id: team.botId,
      ...contentsOf(args),
      ...(thread === undefined ? {} : { thread_ts: thread }),
      ...(args.response_type === "in_channel" ? {} : { onlyFor: address.user }),
    })
  }
  world.changed()
  return { status: 200, body: "ok" }
}
