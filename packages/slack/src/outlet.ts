// The outlet that shows questions as messages in Slack: direct messages, or replies in the thread where the work began.
// The hub's deliveries post, find and end the messages, even after a restart or in another process.

import type { Addresses, Elicitation } from "@holdpoint/hub"
import { canAnswer, isSamePerson, isSettled, type PrincipalId } from "@holdpoint/hub"
import type { LastingOutlet, Posted, Prompt, Receipt } from "@holdpoint/hub/outlets"
import { findMessage } from "./find-message.ts"
import type { Invitations } from "./invitations.ts"
import type { SlackLinks } from "./links.ts"
import { type MessageContent, toEnded, toReminder, toShown } from "./map.ts"
import { fromAccount } from "./records.ts"
import { toPlainText } from "./text.ts"
import type { SlackMessageRef } from "./wire.ts"
import { linkWords } from "./words.ts"
import { slackErrorOf, type Workspace, type Workspaces } from "./workspaces.ts"

/** A thread in Slack, by the workspace, the conversation and its first message. */
export interface SlackThread {
  readonly team: string
  readonly channel: string
  readonly thread_ts: string
}

export interface OutletNeeds {
  readonly workspaces: Workspaces
  readonly links: SlackLinks
  readonly invitations: Invitations
  /** Returns the thread in which the question is asked. Undefined for a direct message. */
  readonly threadOf: (question: Elicitation) => Promise<SlackThread | undefined>
  readonly addresses: Addresses
}

export const slackOutlet = "slack"

export function createOutlet(needs: OutletNeeds): LastingOutlet {
  const { workspaces, links, invitations, addresses } = needs

  return {
    name: slackOutlet,
    addressKind: "slack",
    async post(question, prompt) {
      const account = fromAccount(prompt.address)
      const workspace = account && (await workspaces.find(account.team))
      if (account === undefined || workspace === undefined) return toUnable("the app is not in this workspace")
      const person = await links.personOf(account)
      if (person === undefined)
        return unableIfUnreachable(async () =>
          toReceipt(account.team, await invitations.post({ question, prompt, account })),
        )
      if (!canAnswer(question, person)) return toUnable("the Slack account belongs to another person")
      const open = toShown(question, addresses)
      const content = prompt.reminderOf === undefined ? open : toReminder(open)
      return unableIfUnreachable(async () => {
        const thread = await needs.threadOf(question)
        const ownThread = thread?.team === account.team ? thread : undefined
        return toReceipt(
          account.team,
          await postAt(workspace, { shown: content, prompt, question, user: account.user, thread: ownThread }),
        )
      })
    },
    async find(prompt, question) {
      const account = fromAccount(prompt.address)
      const workspace = account && (await workspaces.find(account.team))
      if (account === undefined || workspace === undefined) return undefined
      const thread = await needs.threadOf(question)
      const message = await findMessage(workspace, {
        ...{ prompt: prompt.id, user: account.user, since: question.createdAt, signal: prompt.signal },
        thread: thread?.team === account.team ? thread : undefined,
      })
      return message && receiptOf(account.team, message)
    },
    async withdraw(question, { receipt, signal, id, ...asked }) {
      const workspace = await workspaces.find(receipt.team ?? "")
      if (workspace === undefined) return
      const { channel, ts } = receipt
      const wasInvited = await invitations.end(id)
      try {
        // A message of an open question is withdrawn because it is a duplicate: the other message stays.
        if (!isSettled(question.status)) await workspace.call("chat.delete", { channel, ts }, signal)
        else {
          const mayShow = !wasInvited && (await isOfAskedPerson(question, asked))
          const content = mayShow
            ? toEnded(question, addresses, await mention(question.answeredBy, workspace.team))
            : endedInvitation
          await workspace.call("chat.update", { channel, ts, ...content }, signal)
        }
      } catch (error) {
        if (!goneErrors.includes(slackErrorOf(error) ?? "")) throw error
      }
    },
  }

  /**
   * Whether the Slack account belongs to the person who was asked. If not, the message may still be an invitation,
   * whose record an earlier attempt has removed or a process that died has not stored.
   */
  async function isOfAskedPerson(question: Elicitation, { address, person }: Pick<Prompt, "address" | "person">) {
    const account = fromAccount(address)
    const linkedPerson = account && (await links.personOf(account))
    if (linkedPerson === undefined) return false
    return person === undefined ? canAnswer(question, linkedPerson) : isSamePerson(linkedPerson, person)
  }

  /** Mentions the person who answered, if they have an account in this workspace. */
  async function mention(by: PrincipalId | undefined, team: string): Promise<string | undefined> {
    const account = by && (await links.of(by)).find((link) => link.team === team)
    return account && `<@${account.user}>`
  }
}

interface Posting {
  readonly shown: MessageContent
  readonly prompt: Prompt
  readonly question: Elicitation
  readonly user: string
  readonly thread: SlackThread | undefined
}

/** Posts in the thread, or as a direct message if the app can no longer write there. */
async function postAt(workspace: Workspace, posting: Posting): Promise<SlackMessageRef> {
  const { thread, user } = posting
  if (thread !== undefined) {
    try {
      return await postMessage(workspace, posting, { channel: thread.channel, thread_ts: thread.thread_ts })
    } catch (error) {
      if (!threadErrors.includes(slackErrorOf(error) ?? "")) throw error
    }
  }
  return postMessage(workspace, posting, { channel: user })
}

export async function postMessage(
  workspace: Workspace,
  { shown, prompt, question }: Pick<Posting, "shown" | "prompt" | "question">,
  place: { readonly channel: string; readonly thread_ts?: string },
): Promise<SlackMessageRef> {
  const metadata = { event_type: "holdpoint_prompt", event_payload: { prompt: prompt.id, question: question.id } }
  const args = { ...place, ...shown, metadata, unfurl_links: false, unfurl_media: false }
  const { channel, ts } = await workspace.call("chat.postMessage", args, prompt.signal)
  return { channel: String(channel), ts: String(ts) }
}

const endedInvitation: MessageContent = {
  text: linkWords.ended,
  blocks: [{ type: "section", text: toPlainText(linkWords.ended) }],
}

const receiptOf = (team: string, { channel, ts }: SlackMessageRef): Receipt => ({ team, channel, ts })

const toReceipt = (team: string, at: SlackMessageRef): Posted => ({ state: "shown", receipt: receiptOf(team, at) })

const toUnable = (reason: string): Posted => ({ state: "unable", why: reason })

async function unableIfUnreachable(post: () => Promise<Posted>): Promise<Posted> {
  try {
    return await post()
  } catch (error) {
    const errorCode = slackErrorOf(error) ?? ""
    if (unreachableErrors.includes(errorCode)) return toUnable(`Slack says ${errorCode}`)
    throw error
  }
}

/** The errors of Slack which mean that the person cannot be reached in this workspace, even by a later attempt. */
const unreachableErrors: readonly string[] = [
  ...["channel_not_found", "user_not_found", "user_disabled", "cannot_dm_bot", "messages_tab_disabled"],
  ...["restricted_action", "not_in_channel", "is_archived", "access_denied"],
]
const threadErrors: readonly string[] = [...unreachableErrors, "thread_not_found", "cannot_reply_to_message"]
/** The errors of Slack after which a message can no longer be changed. */
const goneErrors: readonly string[] = [
  ...["message_not_found", "channel_not_found", "cant_update_message", "cant_delete_message", "edit_window_closed"],
  ...["is_archived", "is_inactive", "not_in_channel"],
]
