// Links a Slack account to a person, in three steps: the account's user asks for a link in Slack; the person who opens
// it signs in and agrees on our page; and unless both sides have the same verified e-mail address, the page shows a
// code that has to be entered in Slack. So neither a forwarded nor a stolen link connects an account to a stranger.

import type { Addresses, Runtime, Storage } from "@holdpoint/hub"
import { isSamePerson, type PrincipalId } from "@holdpoint/hub"
import { hashOf, isHashOf, isObject, newToken, toPrincipalId } from "@holdpoint/hub/internal"
import type { PartServer } from "@holdpoint/server/parts"
import { newCode, readCode } from "./code.ts"
import type { SlackLinks } from "./links.ts"
import { actions } from "./map.ts"
import { callbacks, frameOf, valueAction } from "./modal.ts"
import { slackPaths } from "./paths.ts"
import { accountOf, type SlackLink, type SlackLinkRequest, slackLinkRequestKind } from "./records.ts"
import { cut, escaped, toPlainText } from "./text.ts"
import type { Block, Json, SlackPress, SlackSubmission, SlackUser } from "./wire.ts"
import { linkWords } from "./words.ts"
import type { Workspaces } from "./workspaces.ts"

/** The account that a link is about, as the page shows it. */
export type LinkedAccount = Pick<SlackLink, "team" | "user" | "userName" | "teamName">

/**
 * The result of a person's consent on the page. `code`: the person has to enter the code in Slack. `unusable`: the link
 * has expired, was used, or belongs to another person.
 */
export type ClaimResult =
  | { readonly state: "linked"; readonly account: LinkedAccount }
  | { readonly state: "code"; readonly account: LinkedAccount; readonly code: string }
  | { readonly state: "unusable" }

export interface Linking {
  /** Sends a one-time link to the person who asks for it in Slack, visible to them alone. */
  begin(by: SlackUser & Partial<Pick<SlackPress, "message">>): Promise<void>
  /**
   * Returns the account of a link that this person may use. Undefined when the link has ended, or another person has
   * used it.
   */
  look(token: string, person: PrincipalId): Promise<LinkedAccount | undefined>
  /** Records the consent of the signed-in person. */
  claim(token: string, person: PrincipalId): Promise<ClaimResult>
  /** Opens the modal for the code. */
  askForCode(press: SlackPress): Promise<void>
  /** Handles the code that was entered in Slack. */
  enterCode(submission: SlackSubmission): Promise<Json | undefined>
  /** Ends the link of the account whose user asks for it. */
  unlink(by: SlackUser & Partial<Pick<SlackPress, "message">>): Promise<void>
}

export interface LinkingNeeds {
  readonly storage: Pick<Storage, "records">
  readonly runtime: Pick<Runtime, "now">
  readonly links: SlackLinks
  readonly workspaces: Workspaces
  readonly addresses: Addresses
  readonly findPerson: PartServer["findPerson"]
  /** Sends a message that only one person sees. */
  readonly sendPrivately: (
    by: SlackUser & Partial<Pick<SlackPress, "message">>,
    content: PrivateMessage,
  ) => Promise<void>
  /** Shows the questions and delivers the messages that waited for this account. */
  readonly resume: (account: SlackUser) => Promise<void>
}

export interface PrivateMessage {
  readonly text: string
  readonly blocks?: readonly Block[]
}

const requestMs = 10 * 60_000
const mostMisses = 5

export function createLinking(needs: LinkingNeeds): Linking {
  const { storage, runtime, links, workspaces, addresses, sendPrivately } = needs
  const requests = storage.records(slackLinkRequestKind)

  /** Finds a request that can still be used. Housekeeping may not have removed an expired request yet. */
  async function find(id: string): Promise<SlackLinkRequest | undefined> {
    const request = await requests.get(id)
    return request !== undefined && runtime.now() < request.expiresAt && request.misses < mostMisses
      ? request
      : undefined
  }

  /**
   * Links the account, and removes the request, so that it can be used only once. Returns false if another call has
   * already removed the request.
   */
  async function finish(request: SlackLinkRequest, person: PrincipalId, name: string): Promise<boolean> {
    if (!(await requests.remove(request))) return false
    await links.link(request, person)
    await sendPrivately(request, { text: escaped(linkWords.linked(cut(name, 100))) })
    await needs.resume(request)
    return true
  }

  async function nameOf(person: PrincipalId): Promise<string> {
    const slackPerson = await needs.findPerson(person)
    return slackPerson?.name === undefined
      ? person.subject
      : `${slackPerson.name} (${slackPerson.email ?? person.subject})`
  }

  return {
    async begin(by) {
      const workspace = await workspaces.find(by.team)
      if (workspace === undefined) return
      const token = newToken()
      const { user } = await workspace.call("users.info", { user: by.user })
      await requests.insert({
        ...{ id: hashOf(token), tenant: by.team, version: 1, team: by.team, user: by.user, misses: 0 },
        ...{ ...profileOf(user, by.user), teamName: cut(workspace.name, 100), expiresAt: runtime.now() + requestMs },
      })
      const url = addresses.to(slackPaths.link, token)
      const label = toPlainText(linkWords.open(new URL(addresses.publicUrl).host), 75)
      const button = { type: "button", action_id: actions.open, text: label, style: "primary", url } as const
      await sendPrivately(by, {
        text: linkWords.begin,
        blocks: [
          { type: "section", text: toPlainText(linkWords.begin) },
          { type: "actions", elements: [button] },
        ],
      })
    },
    async look(token, person) {
      const request = await find(hashOf(token))
      const isClaimable = request?.claimedBy === undefined || isSamePerson(request.claimedBy, person)
      return request !== undefined && isClaimable ? toAccount(request) : undefined
    },
    async claim(token, person) {
      const request = await find(hashOf(token))
      if (request === undefined) return { state: "unusable" }
      if (request.claimedBy !== undefined && !isSamePerson(request.claimedBy, person)) return { state: "unusable" }
      const slackPerson = await needs.findPerson(person)
      const name = await nameOf(person)
      if (isSameAddress(slackPerson?.email, request.email)) {
        const isLinked = await finish(request, person, name)
        return isLinked ? { state: "linked", account: toAccount(request) } : { state: "unusable" }
      }
      const code = newCode()
      const claimFields = { claimedBy: toPrincipalId(person), claimedName: cut(name, 200), codeHash: hashOf(code) }
      const next = { ...request, version: request.version + 1, ...claimFields }
      if (!(await requests.replace(next))) return { state: "unusable" }
      await sendPrivately(request, {
        text: escaped(linkWords.confirm(cut(name, 200))),
        blocks: [
          { type: "section", text: toPlainText(linkWords.confirm(cut(name, 200))) },
          { type: "actions", elements: [toButton(actions.code, linkWords.enter, request.id)] },
        ],
      })
      return { state: "code", account: toAccount(request), code }
    },
    async askForCode({ team, user, trigger, value, message }) {
      const request = await find(value)
      const isSameAccount = request !== undefined && accountOf(request) === accountOf({ team, user })
      if (!isSameAccount) return sendPrivately({ team, user, ...(message && { message }) }, { text: linkWords.over })
      const workspace = await workspaces.find(team)
      const view = {
        ...frameOf(callbacks.code, linkWords.codeTitle, linkWords.link),
        private_metadata: request.id,
        blocks: [
          { type: "section", text: toPlainText(linkWords.confirm(request.claimedName ?? "")) },
          {
            ...{ type: "input", block_id: codeBlock, label: toPlainText(linkWords.code) },
            element: { type: "plain_text_input", action_id: valueAction, max_length: 40 },
          },
        ],
      }
      await workspace?.call("views.open", { trigger_id: trigger, view })
    },
    async enterCode({ team, user, metadata, values }) {
      const request = await find(metadata)
      const { claimedBy, claimedName = "", codeHash } = request ?? {}
      if (request === undefined || accountOf(request) !== accountOf({ team, user })) return codeError(linkWords.over)
      if (claimedBy === undefined || codeHash === undefined) return codeError(linkWords.over)
      if (!isHashOf(readCode(codeIn(values)), codeHash)) {
        await requests.replace({ ...request, version: request.version + 1, misses: request.misses + 1 })
        return codeError(request.misses + 1 < mostMisses ? linkWords.wrong : linkWords.over)
      }
      return (await finish(request, claimedBy, claimedName)) ? undefined : codeError(linkWords.over)
    },
    async unlink(by) {
      const text = (await links.unlink(by)) ? linkWords.unlinked : linkWords.notLinked
      await sendPrivately(by, { text })
    },
  }
}

const codeBlock = "code"

const codeError = (message: string): Json => ({ response_action: "errors", errors: { [codeBlock]: message } })

function codeIn(values: SlackSubmission["values"]): string {
  const state = values[codeBlock]?.[valueAction]
  return isObject(state) && typeof state.value === "string" ? state.value : ""
}

const toButton = (action: string, label: string, value: string) =>
  ({ type: "button", action_id: action, text: toPlainText(label, 75), value, style: "primary" }) as const

const toAccount = ({ team, user, userName, teamName }: SlackLinkRequest): LinkedAccount => ({
  ...{ team, user, userName, teamName },
})

/** Reads the name that other people see, and the e-mail address if Slack has confirmed it. */
function profileOf(member: unknown, user: string): Pick<SlackLinkRequest, "userName" | "email"> {
  const profile = isObject(member) && isObject(member.profile) ? member.profile : {}
  const named = isObject(member) ? [profile.display_name, profile.real_name, member.name] : []
  const userName = cut(String(named.find((name) => typeof name === "string" && name !== "") ?? user), 100)
  const isConfirmed = isObject(member) && member.is_email_confirmed === true
  return { userName, ...(isConfirmed && typeof profile.email === "string" ? { email: profile.email } : {}) }
}

/** Whether two verified e-mail addresses are equal: one is verified by the identity provider, the other by Slack. */
export function isSameAddress(address: string | undefined, slackAddress: string | undefined): boolean {
  return (
    address !== undefined &&
    slackAddress !== undefined &&
    address !== "" &&
    address.toLowerCase() === slackAddress.toLowerCase()
  )
}
