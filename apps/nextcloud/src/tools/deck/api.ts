// The API of the Deck app. It says 403 for what is not there, 500 for what is archived, and minds no conditions when it
// writes.

import { createHash } from "node:crypto"
import type { Capabilities } from "../../api/capabilities.ts"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { integer } from "../../schema.ts"

export const offered = (capabilities: Capabilities): boolean => capabilities.has("deck")

/** What every card is addressed by. */
export const cardAddress = { board_id: integer(), stack_id: integer(), card_id: integer() }

export interface CardAddress {
  readonly board_id: number
  readonly stack_id: number
  readonly card_id: number
}

/** `path` is below the API's own: `/boards/2`. */
export async function deck(nextcloud: Nextcloud, request: NcRequest, version = "v1.0"): Promise<NcAnswer> {
  const path = `/apps/deck/api/${version}${request.path}`
  // Without this header, Nextcloud lets no bearer token in here.
  const headers = { "ocs-apirequest": "true", ...request.headers }
  try {
    const answer = await nextcloud.send({ ...request, path, headers })
    // A page of something that stands before Nextcloud is no yes, also where nothing is read from it.
    if (/html/i.test(answer.headers.get("content-type") ?? "")) answer.json()
    return answer
  } catch (error) {
    throw understood(error, request)
  }
}

/** What Deck means by its statuses. */
export function understood(error: unknown, { method = "GET", doing }: NcRequest): unknown {
  if (!isNextcloudError(error)) return error
  const { status, said } = error
  if (status === 500 && said.startsWith("Operation not allowed")) {
    const advice = "What is archived has to be brought back first: nc_deck_update_board or nc_deck_update_card."
    return nextcloudError("invalid", { status, doing, said, advice })
  }
  if (status !== 403) return error
  if (method === "GET") return nextcloudError("not_found", { status, doing, because: "it is not there, or not yours" })
  if (!/^(permission denied\.?)?$/i.test(said)) return nextcloudError("forbidden", { status, doing, said })
  const advice = "Deck tells no difference between what is not there and what this account may not change: list first."
  return nextcloudError("forbidden", { status, doing, advice })
}

export async function readBoard(nextcloud: Nextcloud, id: number): Promise<Fields> {
  const doing = `reading the board ${id}`
  return fieldsOf((await deck(nextcloud, { path: `/boards/${id}`, doing })).json(), doing)
}

/** With their cards, as far as they are not archived, or just the archived ones. */
export async function readStacks(nextcloud: Nextcloud, board: number, which = ""): Promise<readonly Fields[]> {
  const doing = `reading the lists of the board ${board}`
  return objectsOf((await deck(nextcloud, { path: `/boards/${board}/stacks${which}`, doing })).json(), doing)
}

export async function readStack(nextcloud: Nextcloud, board: number, id: number): Promise<Fields> {
  const doing = `reading the list ${id}`
  return fieldsOf((await deck(nextcloud, { path: `/boards/${board}/stacks/${id}`, doing })).json(), doing)
}

export const cardPath = ({ board_id, stack_id, card_id }: CardAddress): string =>
  `/boards/${board_id}/stacks/${stack_id}/cards/${card_id}`

/** Version 1.0 leaves out files that were attached by sharing. */
export async function readCard(nextcloud: Nextcloud, address: CardAddress): Promise<Fields> {
  const doing = `reading the card ${address.card_id}`
  return fieldsOf((await deck(nextcloud, { path: cardPath(address), doing }, "v1.1")).json(), doing)
}

export const boardLink = (nextcloud: Nextcloud, board: number): string => nextcloud.link(`/apps/deck/board/${board}`)

export const cardLink = (nextcloud: Nextcloud, board: number, card: number): string =>
  nextcloud.link(`/apps/deck/board/${board}/card/${card}`)

/** The id of a person or group, which comes as an object or as the id alone. */
export function idIn(fields: Fields, name: string): string {
  return typeof fields.raw[name] === "string" ? fields.text(name) : fields.object(name).text("uid")
}

/** What of a card a change replaces. Deck's own ETag is its time in seconds, and moves with each card beside it. */
const content = ["title", "description", "type", "duedate", "startdate", "done", "archived", "color"]

export function cardEtag(fields: Fields): string {
  const values = [idIn(fields, "owner"), ...content.map((name) => fields.raw[name] ?? null)]
  return createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16)
}
