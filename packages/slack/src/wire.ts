// Parses Slack's event envelopes, interactions and commands. Every member is checked, because these values are
// untrusted. https://docs.slack.dev/apis/events-api

import { isObject } from "@holdpoint/hub/internal"
import type { ChatPostMessageArguments, ViewsOpenArguments } from "@slack/web-api"

export type Json = Readonly<Record<string, unknown>>

/** A block of a message or a modal, as Slack's own types describe it. */
export type Block = Extract<
  Extract<ChatPostMessageArguments, { readonly blocks: readonly unknown[] }>["blocks"][number],
  { readonly type: string }
>
export type Modal = Extract<ViewsOpenArguments["view"], { readonly type: "modal" }>

/** A member of a workspace. `team` and `user` together identify a Slack account. */
export interface SlackUser {
  readonly team: string
  readonly user: string
}

/** A message in a conversation of Slack. */
export interface SlackMessageRef {
  readonly channel: string
  readonly ts: string
}

/** A person's message to the app: a mention in a channel, or a direct message. */
export interface SlackMessage extends SlackUser, SlackMessageRef {
  /** The id of Slack's event. A repeated event has the same id. */
  readonly id: string
  readonly kind: "mention" | "direct"
  /** The first message of the thread; absent outside of threads. */
  readonly thread_ts?: string
  /** The text in Slack's mrkdwn. */
  readonly text: string
}

export interface SlackEnvelope extends Pick<SlackUser, "team"> {
  readonly app: string
  readonly id: string
  readonly event: Json
}

/** A button that was pressed in a message or in the app's home. */
export interface SlackPress extends SlackUser {
  readonly type: "press"
  readonly app: string
  readonly action: string
  readonly value: string
  readonly trigger: string
  /** The message with the button. Absent in the app's home. */
  readonly message?: SlackMessageRef & { readonly thread_ts?: string }
}

/** A modal that was submitted. */
export interface SlackSubmission extends SlackUser {
  readonly type: "submission"
  readonly app: string
  readonly callback: string
  readonly metadata: string
  readonly view: string
  /** The entered values by block and action, as Slack sends them. */
  readonly values: Readonly<Record<string, Json>>
}

export type SlackInteraction = SlackPress | SlackSubmission

/** A slash command. */
export interface SlackCommand extends SlackUser {
  readonly app: string
  readonly command: string
  readonly text: string
  readonly trigger: string
}

/** Parses a body. Undefined when it is not a JSON object. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function toEnvelope(body: Json): SlackEnvelope | undefined {
  const { type, team_id: team, api_app_id: app, event_id: id, event } = body
  if (type !== "event_callback" || !isId(team) || !isId(app) || !isId(id) || !isObject(event)) return undefined
  return { team, app, id, event }
}

/** Reads a person's message to the app. Undefined for messages of bots and other teams, edits, joins and other events. */
export function toMessage({ team, id, event }: SlackEnvelope): SlackMessage | undefined {
  const { type, subtype, bot_id: bot, user, channel, ts, thread_ts: thread, text, channel_type: channelType } = event
  const kind = type === "app_mention" ? "mention" : type === "message" && channelType === "im" ? "direct" : undefined
  const isFromPerson = subtype === undefined || subtype === "file_share" || subtype === "thread_broadcast"
  if (kind === undefined || !isFromPerson || bot !== undefined) return undefined
  const homes = [event.team, event.user_team, event.source_team]
  if (homes.some((home) => home !== undefined && home !== null && home !== team)) return undefined
  if (!isId(user) || !isId(channel) || !isTs(ts) || typeof text !== "string") return undefined
  return { id, kind, team, user, channel, ts, text, ...(isTs(thread) ? { thread_ts: thread } : {}) }
}

/**
 * Undefined when it cannot be read. "foreign": in a shared channel, or in a grid, the user belongs to another team than
 * the workspace; their id could be that of another person here.
 */
export function toInteraction(body: Json): SlackInteraction | "foreign" | undefined {
  const { type, api_app_id: app, trigger_id: trigger } = body
  const team = isObject(body.team) ? body.team.id : undefined
  const { id: user, team_id: home = team } = isObject(body.user) ? body.user : {}
  if (!isId(team) || !isId(user) || !isId(app)) return undefined
  if (home !== team) return "foreign"
  if (type === "view_submission") return toSubmission(body, { team, user, app })
  const [action] = Array.isArray(body.actions) ? (body.actions as readonly unknown[]) : []
  if (type !== "block_actions" || !isObject(action) || typeof action.action_id !== "string") return undefined
  return {
    ...{ type: "press", team, user, app, action: action.action_id },
    value: typeof action.value === "string" ? action.value : "",
    trigger: typeof trigger === "string" ? trigger : "",
    ...messageOf(body),
  }
}

function toSubmission({ view }: Json, by: SlackUser & { readonly app: string }): SlackSubmission | undefined {
  if (!isObject(view) || typeof view.callback_id !== "string" || typeof view.id !== "string") return undefined
  const values = isObject(view.state) && isObject(view.state.values) ? view.state.values : {}
  return {
    ...{ type: "submission", ...by, callback: view.callback_id, view: view.id },
    metadata: typeof view.private_metadata === "string" ? view.private_metadata : "",
    values: Object.fromEntries(Object.entries(values).flatMap(([id, value]) => (isObject(value) ? [[id, value]] : []))),
  }
}

function messageOf({ container }: Json): Pick<SlackPress, "message"> {
  if (!isObject(container)) return {}
  const { channel_id: channel, message_ts: ts, thread_ts: thread } = container
  if (!isId(channel) || !isTs(ts)) return {}
  return { message: { channel, ts, ...(isTs(thread) ? { thread_ts: thread } : {}) } }
}

export function toCommand(fields: URLSearchParams): SlackCommand | undefined {
  const [team, user, app] = [fields.get("team_id"), fields.get("user_id"), fields.get("api_app_id")]
  const command = fields.get("command")
  if (!isId(team) || !isId(user) || !isId(app) || command === null) return undefined
  return { team, user, app, command, text: fields.get("text") ?? "", trigger: fields.get("trigger_id") ?? "" }
}

const isId = (value: unknown): value is string => typeof value === "string" && /^[\w.-]{1,100}$/.test(value)
const isTs = (value: unknown): value is string => typeof value === "string" && /^\d{1,15}\.\d{1,9}$/.test(value)
