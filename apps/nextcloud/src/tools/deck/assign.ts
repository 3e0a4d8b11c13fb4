// Tools for what is attached to a Deck card: labels, people, dependent cards, files.

import type { Capabilities } from "../../api/capabilities.ts"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { flag, integer, object, oneOf, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { xml } from "../../xml.ts"
import { pathIn, readFileId } from "../files/item.ts"
import { search } from "../files/searching.ts"
import type { CardAddress } from "./api.ts"
import { cardAddress, cardPath, deck, readCard } from "./api.ts"
import { attachmentsOf } from "./find-cards.ts"

const assigned = optional(flag("false removes it; default: true"))

const outcome = object({ card_id: integer(), assigned: flag() })

const setCardLabel = defineTool({
  name: "nc_deck_set_card_label",
  title: "Label a Deck card",
  description: "Adds a label of the board to a card, or removes it.",
  scopes: ["deck.write"],
  effect: "set",
  input: object({ ...cardAddress, label_id: integer("From nc_deck_get_board"), assigned }),
  output: outcome,
  requests: 2,
  requestsNote: "Only 1 to remove the label, or when the card already has it.",
  notRecorded: "removing a label",
  async run({ label_id, assigned: isAssigned = true, ...card }, nextcloud) {
    const path = `${cardPath(card)}/${isAssigned ? "assignLabel" : "removeLabel"}`
    const activity = `${isAssigned ? "adding the label to" : "removing the label from"} the card ${card.card_id}`
    if (!isAssigned || !(await hasLabel(nextcloud, card, label_id)))
      await deck(nextcloud, { method: "PUT", path, json: { labelId: label_id }, activity, repeatable: !isAssigned })
    return { card_id: card.card_id, assigned: isAssigned }
  },
})

/** Whether the card already has the label, which Deck would otherwise add a second time. */
async function hasLabel(nextcloud: Nextcloud, card: CardAddress, label: number): Promise<boolean> {
  return (await readCard(nextcloud, card)).objects("labels").some((cardLabel) => cardLabel.number("id") === label)
}

const kinds = { user: 0, group: 1, team: 7 } as const

const setCardUser = defineTool({
  name: "nc_deck_set_card_user",
  title: "Assign a Deck card",
  description: "Assigns a member of the board to a card, or unassigns them.",
  scopes: ["deck.write"],
  effect: "set",
  reach: "shown",
  input: object({
    ...cardAddress,
    user_id: text(undefined, { least: 1 }),
    kind: optional(oneOf(["user", "group", "team"])),
    assigned,
  }),
  output: outcome,
  notRecorded: "unassigning; groups and teams",
  async run({ user_id, kind = "user", assigned: isAssigned = true, ...card }, nextcloud) {
    const path = `${cardPath(card)}/${isAssigned ? "assignUser" : "unassignUser"}`
    const activity = `${isAssigned ? "assigning" : "unassigning"} ${user_id} ${isAssigned ? "to" : "from"} the card ${card.card_id}`
    const json = { userId: user_id, ...(kind === "user" ? {} : { type: kinds[kind] }) }
    await ignoringRepetition(deck(nextcloud, { method: "PUT", path, json, activity }))
    return { card_id: card.card_id, assigned: isAssigned }
  },
})

/** Ignores Deck's error when the person is already assigned, or already unassigned. */
async function ignoringRepetition(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (!isNextcloudError(error) || !/already assigned|no assignment for/i.test(error.detail)) throw error
  }
}

const setDependentCard = defineTool({
  name: "nc_deck_set_dependent_card",
  title: "Make a Deck card wait for another",
  description: "Adds or removes a card's dependency on another.",
  scopes: ["deck.write"],
  effect: "set",
  input: object({ ...cardAddress, dependent_card_id: integer("The card to finish first"), assigned }),
  output: outcome,
  source: "documented",
  notRecorded: "everything: Deck supports it since 1.18",
  offered: (capabilities) => isAtLeast(capabilities, 1, 18),
  async run({ dependent_card_id, assigned: isAssigned = true, ...card }, nextcloud) {
    // Deck's “dependent cards” are the cards that this one depends on.
    const request: NcRequest = {
      method: isAssigned ? "POST" : "DELETE",
      path: `${cardPath(card)}/dependentCards/${dependent_card_id}`,
      activity: `${isAssigned ? "adding" : "removing"} the dependency of the card ${card.card_id} on the card ${dependent_card_id}`,
    }
    await deck(nextcloud, request)
    return { card_id: card.card_id, assigned: isAssigned }
  },
})

function isAtLeast(capabilities: Capabilities, major: number, minor: number): boolean {
  const [first = 0, second = 0] = (capabilities.of("deck")?.maybeText("version") ?? "").split(".").map(Number)
  return first > major || (first === major && second >= minor)
}

const attachFile = defineTool({
  name: "nc_deck_attach_file",
  title: "Attach a file to a Deck card",
  description:
    "Attaches a file or note of the user to a card, by sharing it read-only with everyone who has the board.",
  scopes: ["deck.write", "files.read", "sharing.write"],
  effect: "set",
  reach: {
    kinds: ["inside"],
    requests: 1,
    async find(input, nextcloud) {
      const filePath = await attachedPath(nextcloud, input)
      const fileId = input.file_id ?? (await readFileId(nextcloud, filePath, attachActivity(input.card_id)))
      return [{ kind: "inside", to: `card ${input.card_id}`, object: String(fileId) }]
    },
  },
  input: object({
    card_id: integer(),
    path: optional(text("Such as “/Documents/plan.md”")),
    file_id: optional(integer("Instead of path; a note's id is its file's id")),
  }),
  output: object({ card_id: integer(), path: text(), share_id: text() }),
  requestsNote: "2 with file_id, whose path is looked up.",
  source: "documented",
  notRecorded: "sharing with a card; looking for a file by its id",
  confirm: {
    requests: 0,
    verb: "Share",
    async readLoss(input, nextcloud) {
      const path = await attachedPath(nextcloud, input)
      const details = ["It is attached to a Deck card: everyone with access to the board can read it, now and later."]
      return { what: `the file “${path}”`, details, guard: path }
    },
  },
  async run(input, nextcloud, { loss }) {
    const { card_id } = input
    const activity = attachActivity(card_id)
    const filePath = await attachedPath(nextcloud, input)
    if (loss?.guard !== undefined && loss.guard !== filePath)
      throw nextcloudError("conflict", { activity, because: "the file has been moved" })
    // Share type 12 is Deck.
    const json = { path: filePath, shareType: 12, shareWith: String(card_id), permissions: 1 }
    const { data } = await ocs(nextcloud, { method: "POST", path: "/apps/files_sharing/api/v1/shares", json, activity })
    return { card_id, path: filePath, share_id: fieldsOf(data, activity).text("id") }
  },
})

const attachActivity = (card: number): string => `attaching the file to the card ${card}`

interface Attachment {
  readonly card_id: number
  readonly path?: string | undefined
  readonly file_id?: number | undefined
}

async function attachedPath(nextcloud: Nextcloud, { card_id, path, file_id }: Attachment): Promise<string> {
  if ((path === undefined) === (file_id === undefined))
    throw nextcloudError("invalid", { activity: attachActivity(card_id), because: "either path or file_id is needed" })
  return path ?? pathOf(nextcloud, file_id ?? 0)
}

async function pathOf(nextcloud: Nextcloud, id: number): Promise<string> {
  const activity = `looking for the file ${id}`
  const condition = xml`<d:eq><d:prop><oc:fileid/></d:prop><d:literal>${id}</d:literal></d:eq>`
  const [file] = await search(nextcloud, { folder: "/", condition, limit: 1, activity })
  if (file === undefined) throw nextcloudError("not_found", { activity })
  return pathIn(file.href, activity)
}

const removeAttachment = defineTool({
  name: "nc_deck_remove_attachment",
  title: "Remove an attachment of a Deck card",
  description: "Removes an attachment from a card. A file that was attached by sharing stays where it is.",
  scopes: ["deck.write"],
  effect: "remove",
  input: object({ ...cardAddress, attachment_id: integer(), type: optional(text("If two have this id")) }),
  output: object({ removed: text("Its name") }),
  requests: 2,
  source: "documented",
  notRecorded: "a card with attachments",
  confirm: {
    policy: "once",
    verb: "Take off",
    async readLoss({ attachment_id, type, ...card }, nextcloud) {
      const fields = await readCard(nextcloud, card)
      const { name } = attachmentOf(fields, attachment_id, type)
      return { what: `the attachment “${name}” of the card “${fields.text("title")}”`, guard: name }
    },
  },
  async run({ attachment_id, type: requestedType, ...card }, nextcloud, { loss }) {
    const { name, type } = attachmentOf(await readCard(nextcloud, card), attachment_id, requestedType)
    const activity = `removing “${name}” from the card ${card.card_id}`
    if (loss?.guard !== undefined && loss.guard !== name) throw nextcloudError("conflict", { activity })
    await deleteAttachment(nextcloud, card, { id: attachment_id, type }, activity)
    return { removed: name }
  },
})

/** Deletes an attachment. Shared files are supported since version 1.1 of the API. */
async function deleteAttachment(
  nextcloud: Nextcloud,
  card: CardAddress,
  { id, type }: { readonly id: number; readonly type: string },
  activity: string,
): Promise<void> {
  const path = `${cardPath(card)}/attachments/${encodeURIComponent(type)}/${id}`
  await deck(nextcloud, { method: "DELETE", path, activity }, "v1.1")
}

/**
 * Finds an attachment. Throws when there is none, or when two types have one with this id: ids are unique only within a
 * type.
 */
function attachmentOf(card: Fields, id: number, type: string | undefined) {
  const activity = `finding the attachment ${id} of the card “${card.text("title")}”`
  const [attachment, secondAttachment] = attachmentsOf(card).filter(
    (candidate) => candidate.id === id && (type === undefined || candidate.type === type),
  )
  if (attachment === undefined) throw nextcloudError("not_found", { activity })
  if (secondAttachment === undefined) return attachment
  const because = `there are two: “${attachment.name}” is a ${attachment.type}, “${secondAttachment.name}” a ${secondAttachment.type}`
  throw nextcloudError("invalid", { activity, because, advice: "Select one with `type`." })
}

export const assignTools = [setCardLabel, setCardUser, setDependentCard, attachFile, removeAttachment]
