// The stored records of replies in Slack: the message that each reply answers, and how much of the reply has been sent.
// They do not contain the texts of people or models.

import type { PrincipalId } from "@holdpoint/hub"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"
import type { SlackMessageEvent } from "./port.ts"

/** Where a reply is posted. `thread` is the thread of the message, or the thread that the message begins. */
export type SlackPlace = Pick<SlackMessageEvent, "team" | "channel"> & { readonly thread: string }

/** The reply to one message. Its id is derived from the message, so that each message is answered once. */
export interface SlackReply extends KeptRecord, SlackPlace {
  /** The Slack account that wrote the message, and the person to whom it was linked. */
  readonly user: string
  readonly person: PrincipalId
  readonly kind: SlackMessageEvent["kind"]
  /** Whether the message itself was in a thread. */
  readonly isInThread: boolean
  /** `under_way`: a call works on the reply. `done`: stored only so that a redelivery of the message is recognised. */
  readonly status: "under_way" | "done"
  readonly run?: string
  /** The messages in Slack that the reply consists of, in order. */
  readonly messages: readonly SentMessage[]
  /** The number of the last chunk of the log that was read when the last text was sent. */
  readonly chunk: number
  /** A call of the Web API whose result is not stored yet. */
  readonly pending?: PendingCall
  readonly expiresAt: number
}

/** A message in Slack, with its range of the reply's text: from index `from` up to and excluding `to`. */
export interface SentMessage {
  readonly ts: string
  readonly from: number
  readonly to: number
  /** Whether the message is a stream to which text can be appended. */
  readonly isOpen: boolean
}

export interface PendingCall {
  readonly act: "start" | "append" | "stop" | "post"
  readonly from: number
  readonly to: number
}

export const slackReplyKind: RecordKind<SlackReply> = {
  name: "slack_reply",
  owner: ({ team, user }) => slackAccountIdOf({ team, user }),
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** The id of a Slack account. */
export const slackAccountIdOf = ({ team, user }: Pick<SlackMessageEvent, "team" | "user">): string => `${team}:${user}`

/** The id of the reply to a message. */
export const replyIdOf = ({ team, channel, ts }: Pick<SlackMessageEvent, "team" | "channel" | "ts">): string =>
  `${team}:${channel}:${ts}`

/** The thread in which a run was begun and asks its questions. Its id is the parent of these questions. */
export interface SlackThread extends KeptRecord, SlackPlace {
  readonly user: string
  /** The id of the reply. */
  readonly reply: string
  readonly expiresAt: number
}

export const slackThreadKind: RecordKind<SlackThread> = {
  name: "slack_thread",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}
