// The interface of a Web API method, and the errors that many methods share.

import type { Fields } from "./limits/check.ts"
import type { Refusal } from "./limits/messages.ts"
import type { Channel, Message, Team, World } from "./world.ts"

export interface Call {
  readonly world: World
  readonly team: Team
  readonly args: Fields
  /** Sends an event to the app if the app is subscribed to it. */
  readonly tell: (team: Team, event: Fields) => void
}

/** The response of a method, without `ok`. */
export type Answer = Fields

export type Method = (call: Call) => Answer

/** A refusal of Slack's, which the server answers with status 200 and `ok: false`. */
export function refuse(error: string, messages?: readonly string[]): never {
  throw Object.assign(new Error(error), { refusal: { error, ...(messages && { messages }) } satisfies Refusal })
}

export function refuseIf(refusal: Refusal | undefined): void {
  if (refusal !== undefined) refuse(refusal.error, refusal.messages)
}

export function refusalOf(error: unknown): Refusal | undefined {
  return error instanceof Error && "refusal" in error ? (error.refusal as Refusal) : undefined
}

/** A required text argument. */
export function textOf(args: Fields, name: string): string {
  const value = args[name]
  if (typeof value === "number") return String(value)
  if (typeof value !== "string" || value === "") {
    refuse("invalid_arguments", [`missing required field: ${name} [json-pointer:/${name}]`])
  }
  return value
}

/** A channel that the app is in. */
export function channelOf({ team, args }: Call, name = "channel"): Channel {
  const channel = team.channels.get(textOf(args, name))
  if (channel === undefined) refuse("channel_not_found")
  if (!channel.members.includes(team.botUser)) refuse("not_in_channel")
  return channel
}

/** A message of the app's own. */
export function ownMessage(call: Call, notOwn: string): Message {
  const channel = channelOf(call)
  const ts = textOf(call.args, "ts")
  const message = call.team.messages.find((one) => one.channel === channel.id && one.ts === ts && !one.onlyFor)
  if (message === undefined) refuse("message_not_found")
  if (message.bot_id !== call.team.botId) refuse(notOwn)
  return message
}

/** Whether a form field or JSON value means true. */
export const isTrue = (value: unknown): boolean => value === true || value === "true" || value === "1"
