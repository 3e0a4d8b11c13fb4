// The API of the Deck app. It answers 403 for what does not exist and 500 for what is archived, and ignores conditional
// headers on writes.

import { createHash } from "node:crypto"
import type { Capabilities } from "../../api/capabilities.ts"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { integer } from "../../schema.ts"

export const isOffered = (capabilities: Capabilities): boolean => capabilities.has("deck")

/** The ids that address a card. */
export const cardAddress = { board_id: integer(), stack_id: integer(), card_id: integer() }

export interface CardAddress {
  readonly board_id: number
  readonly stack_id: number
  readonly card_id: number
}

/** Sends a request. `path` is relative to the API: `/boards/2`. */
export async function deck(nextcloud: Nextcloud, request: NcRequest, version = "v1.0"): Promise<NcAnswer> {
  const path = `/apps/deck/api/${version}${request.path}`
  // Without `ocs-apirequest`, Nextcloud refuses bearer tokens at this API.
  const headers = { "ocs-apirequest": "true", ...request.headers }
  try {
    const answer = await nextcloud.send({ ...request, path, headers })
    // A web page from a proxy is not a success: `json` throws for it, even when the caller does not need the body.
    if (/html/i.test(answer.headers.get("content-type") ?? "")) answer.json()
    return answer
  } catch (error) {
    throw toUnderstoodError(error, request)
  }
}

/** Translates the statuses of Deck's errors, such as 403 for a missing card, into the errors that they mean. */
export function toUnderstoodError(error: unknown, { method = "GET", activity }: NcRequest): unknown {
  if (!isNextcloudError(error)) return error
  const { status, detail } = error
  if (status === 500 && detail.startsWith("Operation not allowed")) {
    const advice = "Archived items have to be unarchived first: nc_deck_update_board or nc_deck_update_card."
    return nextcloudError("invalid", { status, activity, detail, advice })
  }
  if (status !== 403) return error
  if (method === "GET")
    return nextcloudError("not_found", { status, activity, because: "it does not exist, or is not yours" })
  if (!/^(permission denied\.?)?$/i.test(detail)) return nextcloudError("forbidden", { status, activity, detail })
  const advice =
    "Deck gives the same error for what does not exist and for what this account may not change: list first."
  return nextcloudError("forbidden", { status, activity, advice })
}

export async function readBoard(nextcloud: Nextcloud, id: number): Promise<Fields> {
  const activity = `reading the board ${id}`
  return fieldsOf((await deck(nextcloud, { path: `/boards/${id}`, activity })).json(), activity)
}

/**
 * Reads the lists of a board with their cards that are not archived. With `listPath` “/archived”: only archived cards.
 */
export async function readStacks(nextcloud: Nextcloud, board: number, listPath = ""): Promise<readonly Fields[]> {
  const activity = `reading the lists of the board ${board}`
  return objectsOf((await deck(nextcloud, { path: `/boards/${board}/stacks${listPath}`, activity })).json(), activity)
}

export async function readStack(nextcloud: Nextcloud, board: number, id: number): Promise<Fields> {
  const activity = `reading the list ${id}`
  return fieldsOf((await deck(nextcloud, { path: `/boards/${board}/stacks/${id}`, activity })).json(), activity)
}

export const cardPath = ({ board_id, stack_id, card_id }: CardAddress): string =>
  `/boards/${board_id}/stacks/${stack_id}/cards/${card_id}`

/** Reads a card with version 1.1 of the API: version 1.0 omits files that were attached by sharing. */
export async function readCard(nextcloud: Nextcloud, address: CardAddress): Promise<Fields> {
  const activity = `reading the card ${address.card_id}`
  return fieldsOf((await deck(nextcloud, { path: cardPath(address), activity }, "v1.1")).json(), activity)
}

export const boardLink = (nextcloud: Nextcloud, board: number): string => nextcloud.link(`/apps/deck/board/${board}`)

export const cardLink = (nextcloud: Nextcloud, board: number, card: number): string =>
  nextcloud.link(`/apps/deck/board/${board}/card/${card}`)

/** The id of a person or group, which Deck sends as an object or as the bare id. */
export function participantId(fields: Fields, name: string): string {
  return typeof fields.raw[name] === "string" ? fields.text(name) : fields.object(name).text("uid")
}

/**
 * The card fields that go into the etag, besides the owner. Deck's own ETag is a time in seconds and changes when a
 * neighbouring card moves.
 */
const etagFields = ["title", "description", "type", "duedate", "startdate", "done", "archived", "color"]

export function cardEtag(fields: Fields): string {
  const values = [participantId(fields, "owner"), ...etagFields.map((name) => fields.raw[name] ?? null)]
  return createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16)
}
