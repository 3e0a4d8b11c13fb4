// A Talk conversation as the place of a message: its name, and who reads what is written there.

import type { Nextcloud } from "../../api/nextcloud.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { pluralize } from "../../pluralize.ts"
import type { Reached } from "../../reach.ts"
import { talk } from "./api.ts"

export interface Room {
  readonly token: string
  readonly name: string
  readonly isPublic: boolean
}

interface Reader {
  /** Its kind and its id. */
  readonly id: string
  readonly name: string
  /** Whether it is a person or a group of this Nextcloud. */
  readonly isInside: boolean
}

export interface RoomWithReaders extends Room {
  /** Everyone but the user. */
  readonly readers: readonly Reader[]
}

const publicType = 3

export async function readRoom(nextcloud: Nextcloud, token: string, activity: string): Promise<Room> {
  const fields = fieldsOf((await talk(nextcloud, { path: `/v4/room/${token}`, activity })).data, activity)
  return { token, name: fields.text("displayName"), isPublic: fields.number("type") === publicType }
}

export async function readRoomWithReaders(
  nextcloud: Nextcloud,
  token: string,
  activity: string,
): Promise<RoomWithReaders> {
  const [room, { data }, userId] = await Promise.all([
    readRoom(nextcloud, token, activity),
    talk(nextcloud, { path: `/v4/room/${token}/participants`, activity }),
    nextcloud.userId(),
  ])
  const readers = objectsOf(data, activity).map((participant): Reader => {
    const [source, id] = [participant.text("actorType"), participant.text("actorId")]
    const isInside = source === "users" || source === "groups"
    return { id: `${source} ${id}`, name: participant.maybeText("displayName") ?? id, isInside }
  })
  return { ...room, readers: readers.filter(({ id }) => id !== `users ${userId}`) }
}

/** The readers of a message. A Yes does not count any more when the conversation has other readers. */
export function reachOfRoom({ token, isPublic, readers }: RoomWithReaders): readonly Reached[] {
  if (isPublic) return [{ kind: "public", to: "link", object: token }]
  if (readers.length === 0) return []
  const kind = readers.every(({ isInside }) => isInside) ? "inside" : "outside"
  return [{ kind, to: JSON.stringify(readers.map(({ id }) => id).toSorted()), object: token }]
}

const mostNames = 10

export function toReaderWords({ isPublic, readers }: RoomWithReaders): string {
  const names = readers.slice(0, mostNames).map(({ name }) => name)
  const moreCount = readers.length - names.length
  return [
    ...names,
    ...(moreCount > 0 ? [pluralize(moreCount, "other", "others")] : []),
    ...(isPublic ? ["everyone who has the link"] : []),
  ].join(", ")
}
