// Invitations: a person whose Slack account has their e-mail address, but is not linked, is asked to link the account.
// The message names the asker, but does not contain the question. After the account is linked, the message is replaced
// with the question.

import type { Elicitation, Hub, Runtime, Storage } from "@holdpoint/hub"
import { type Addresses, canAnswer, isSettled, paths } from "@holdpoint/hub"
import type { DueKind, LeaseOptions } from "@holdpoint/hub/internal"
import { createDueWork, createWork, type Report } from "@holdpoint/hub/internal"
import type { Prompt } from "@holdpoint/hub/outlets"
import type { SlackLinks } from "./links.ts"
import { actions, askerOf, type MessageContent, toShown } from "./map.ts"
import { postMessage } from "./outlet.ts"
import { accountOf, type SlackInvitation, slackInvitationKind } from "./records.ts"
import { cut, escaped, toPlainText } from "./text.ts"
import type { SlackMessageRef, SlackUser } from "./wire.ts"
import { linkWords } from "./words.ts"
import type { Workspaces } from "./workspaces.ts"

export interface Invitations {
  /** Posts an invitation in place of a question. */
  post(invited: Invited): Promise<SlackMessageRef>
  /** Shows the questions that waited for this account to be linked. */
  resume(account: SlackUser): Promise<void>
  /** Removes an invitation whose question has ended. Returns whether there was one. */
  end(prompt: string): Promise<boolean>
  /** Starts to look for questions whose accounts are linked, but whose messages were not replaced. */
  start(): void
  close(): Promise<void>
}

export interface Invited {
  readonly question: Elicitation
  readonly prompt: Prompt
  readonly account: SlackUser
}

export interface InvitationNeeds {
  readonly storage: Pick<Storage, "records">
  readonly runtime: Runtime
  readonly report: Report
  readonly workspaces: Workspaces
  readonly links: SlackLinks
  readonly addresses: Addresses
  readonly hub: Pick<Hub, "get">
}

const lookAgainMs = 10 * 60_000
const pageSize = 100

/** `look`: the account may have been linked. `wait`: it is not linked. `shown`: the question took the message's place. */
type InvitationEvent = { readonly type: "look" | "wait" | "shown" }

const invitationWork: DueKind<SlackInvitation, InvitationEvent> = {
  named: "questions that wait in Slack",
  record: slackInvitationKind,
  exhausted: { type: "wait" },
  delaysMs: [lookAgainMs],
  isEndless: true,
  lookMs: 60_000,
  transition(current, { type }, now) {
    if (type === "shown") return "remove"
    return { ...current, attempts: 0, dueAt: type === "look" ? now : now + lookAgainMs }
  },
}

export function createInvitations(needs: InvitationNeeds): Invitations {
  const { storage, runtime, report, workspaces, links, addresses, hub } = needs
  const records = storage.records(slackInvitationKind)
  const work = createWork({ runtime, report })
  const { background } = work
  const due = createDueWork({
    ...{ kind: invitationWork, records, runtime, report, background },
    carryOut: (invitation) => show(invitation),
  })

  async function show(invitation: SlackInvitation, options?: LeaseOptions<SlackInvitation, InvitationEvent>) {
    await due.underLease(
      invitation,
      async ({ team, channel, ts, elicitation }, attempt) => {
        const person = await links.personOf(invitation)
        const question = await hub.get(elicitation)
        const canBeShown =
          person !== undefined && question !== undefined && !isSettled(question.status) && canAnswer(question, person)
        if (!canBeShown) return attempt.end({ type: "wait" })
        const workspace = await workspaces.find(team)
        await workspace?.call("chat.update", { channel, ts, ...toShown(question, addresses) })
        return attempt.end({ type: "shown" })
      },
      options,
    )
  }

  return {
    async post({ question, prompt, account }) {
      const workspace = await workspaces.find(account.team)
      if (workspace === undefined) throw new Error("The workspace has just been removed.")
      const page = addresses.to(paths.question, question.id)
      const invitation = invitationOf(question, page)
      const postedMessage = await postMessage(
        workspace,
        { shown: invitation, prompt, question },
        { channel: account.user },
      )
      await records.insert({
        ...{ id: prompt.id, tenant: account.team, version: 1, ...account, ...postedMessage },
        ...{ elicitation: question.id, prompt: prompt.id },
        ...{ attempts: 0, dueAt: runtime.now() + lookAgainMs, expiresAt: question.expiresAt + lookAgainMs },
      })
      return postedMessage
    },
    async resume(account) {
      const page = await records.list({ tenant: account.team, owner: accountOf(account), limit: pageSize })
      for (const invitation of page) await show(invitation, { first: { type: "look" } })
    },
    async end(prompt) {
      const invitation = await records.get(prompt)
      if (invitation !== undefined) await records.remove(invitation)
      return invitation !== undefined
    },
    start: () => due.arm(runtime.now()),
    async close() {
      due.stop()
      work.close()
      await work.drain()
    },
  }
}

function invitationOf(question: Elicitation, page: string): MessageContent {
  const text = linkWords.invited(cut(askerOf(question), 100))
  return {
    text: escaped(text),
    blocks: [
      { type: "section", text: toPlainText(text) },
      {
        type: "actions",
        elements: [
          { type: "button", action_id: actions.link, text: toPlainText(linkWords.link, 75), style: "primary" },
          { type: "button", action_id: actions.open, text: toPlainText(linkWords.onPage, 75), url: page },
        ],
      },
    ],
  }
}
