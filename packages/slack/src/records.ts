// The stored records of Slack: linked accounts, requests to link an account, received events, and questions that wait
// for an account to be linked.

import type { PrincipalId } from "@holdpoint/hub"
import type { Due } from "@holdpoint/hub/internal"
import { ownerKey, toOwner } from "@holdpoint/hub/internal"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"
import type { SlackMessageRef, SlackUser } from "./wire.ts"

/** A Slack account and its person. The record's id is that of the account, so an account belongs to only one person. */
export interface SlackLink extends KeptRecord, SlackUser {
  readonly principal: PrincipalId
  /** The names of the account and its workspace in Slack when the account was linked, for display. */
  readonly userName: string
  readonly teamName: string
  readonly linkedAt: number
}

export const slackLinkKind: RecordKind<SlackLink> = {
  name: "slack_link",
  owner: ({ principal }) => ownerKey(toOwner(principal)),
  dueAt: () => undefined,
  expiresAt: () => undefined,
}

/** A request to link an account, which its user began in Slack. The id is the hash of the token in the link. */
export interface SlackLinkRequest extends KeptRecord, SlackUser {
  readonly userName: string
  readonly teamName: string
  /** The verified e-mail address of the account's profile, if Slack gives it. */
  readonly email?: string
  /** The signed-in person who opened the link and agreed. They still have to confirm with a code in Slack. */
  readonly claimedBy?: PrincipalId
  readonly claimedName?: string
  /** The hash of the code that the page shows. */
  readonly codeHash?: string
  /** The number of wrong codes that were entered. */
  readonly misses: number
  readonly expiresAt: number
}

export const slackLinkRequestKind: RecordKind<SlackLinkRequest> = {
  name: "slack_link_request",
  owner: accountOf,
  dueAt: () => undefined,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/**
 * An event, stored before it is acknowledged. `received`: a process handles it under a lease. `unlinked`: it waits until
 * its sender has linked an account. `done`: kept so that the same event is recognised when Slack sends it again.
 */
export interface SlackEvent extends KeptRecord, Due, SlackUser {
  readonly state: "received" | "unlinked" | "done"
  readonly expiresAt: number
}

export const slackEventKind: RecordKind<SlackEvent> = {
  name: "slack_event",
  owner: accountOf,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/**
 * An invitation that was posted in place of a question. Its message is replaced with the question after the account is
 * linked, for which a process looks when it is due.
 */
export interface SlackInvitation extends KeptRecord, Due, SlackUser, SlackMessageRef {
  readonly elicitation: string
  readonly prompt: string
  readonly expiresAt: number
}

export const slackInvitationKind: RecordKind<SlackInvitation> = {
  name: "slack_invitation",
  owner: accountOf,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: ({ expiresAt }) => expiresAt,
}

/** The id of a Slack account, and its address in the directory. */
export function accountOf({ team, user }: SlackUser): string {
  return `${team}:${user}`
}

export function fromAccount(account: string): SlackUser | undefined {
  const [, team, user] = /^(\w{1,50}):(\w{1,50})$/.exec(account) ?? []
  return team === undefined || user === undefined ? undefined : { team, user }
}
