// Removes everything that a run created at a real server, in both accounts: everything that did not exist before.

import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { table } from "../../src/tools/table.ts"
import { callTool, toolOf } from "../fits.ts"

interface Kind {
  readonly what: string
  list(nextcloud: Nextcloud): Promise<readonly string[]>
  remove(nextcloud: Nextcloud, id: string): Promise<unknown>
}

const call = <O>(nextcloud: Nextcloud, name: string, input: object = {}): Promise<O> =>
  callTool<O>(toolOf(table, name), input, nextcloud)

/** A kind of object that tools list and remove: the list, the member with the id, and the removal. */
function byTools(
  what: string,
  list: readonly [string, object?],
  key: string,
  id: string,
  remove: string,
  as: string,
): Kind {
  return {
    what,
    async list(nextcloud) {
      const [name, input = {}] = list
      return (await readAll(nextcloud, name, input, key)).map((one) => String(one[id]))
    },
    remove: (nextcloud, itemId) =>
      call(nextcloud, remove, { [as]: /^\d+$/.test(itemId) && id === "id" ? Number(itemId) : itemId }),
  }
}

const all = { limit: 200 }

type Item = Readonly<Record<string, unknown>>

/** Reads all pages: an object that the first list missed would be removed as new. */
async function readAll(nextcloud: Nextcloud, name: string, input: object, key: string): Promise<readonly Item[]> {
  const items: Item[] = []
  let cursor: unknown
  do {
    const page: Item = await call(nextcloud, name, cursor === undefined ? input : { ...input, cursor })
    items.push(...((page[key] ?? []) as readonly Item[]))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return items
}

/** The kinds in the order of removal: contents before their containers. */
const kinds: readonly Kind[] = [
  byTools("notes", ["nc_notes_list_notes", all], "notes", "id", "nc_notes_delete_note", "note_id"),
  byTools("shares", ["nc_sharing_list_shares", all], "shares", "id", "nc_sharing_delete_share", "share_id"),
  {
    what: "calendars",
    async list(nextcloud) {
      const items = await readAll(nextcloud, "nc_calendar_list_calendars", {}, "calendars")
      // Deck shows each board as a calendar. It disappears with its board.
      return items.map(({ id }) => String(id)).filter((id) => !id.startsWith("app-generated--"))
    },
    remove: (nextcloud, calendar) => call(nextcloud, "nc_calendar_delete_calendar", { calendar }),
  },
  byTools(
    "address books",
    ["nc_contacts_list_addressbooks"],
    "addressbooks",
    "id",
    "nc_contacts_delete_addressbook",
    "addressbook",
  ),
  byTools("contacts", ["nc_contacts_list_contacts", all], "contacts", "uid", "nc_contacts_delete_contact", "uid"),
  {
    what: "events",
    async list(nextcloud) {
      const input = { calendar: "personal", from: "2026-01-01", to: "2026-12-31", ...all }
      return (await readAll(nextcloud, "nc_calendar_list_events", input, "events")).map(({ id }) => String(id))
    },
    remove: async (nextcloud, id) =>
      gone(nextcloud, `/remote.php/dav/calendars/${encodeURIComponent(await nextcloud.userId())}/${id}`),
  },
  byTools("boards", ["nc_deck_list_boards"], "boards", "id", "nc_deck_delete_board", "board_id"),
  byTools("recipes", ["nc_cookbook_list_recipes", all], "recipes", "id", "nc_cookbook_delete_recipe", "recipe_id"),
  byTools("folders of feeds", ["nc_news_list_feeds"], "folders", "id", "nc_news_delete_folder", "folder_id"),
  byTools(
    "collectives",
    ["nc_collectives_list_collectives"],
    ...(["collectives", "id", "nc_collectives_delete_collective", "collective_id"] as const),
  ),
  byTools("files", ["nc_files_list_directory", all], "items", "path", "nc_files_delete_resource", "path"),
  {
    what: "tables",
    list: (nextcloud) => idsAt(nextcloud, "/apps/tables/api/1/tables"),
    remove: (nextcloud, id) => gone(nextcloud, `/apps/tables/api/1/tables/${id}`),
  },
  {
    what: "conversations",
    async list(nextcloud) {
      const items = await readAll(nextcloud, "nc_talk_list_conversations", {}, "conversations")
      return items.map(({ token }) => String(token))
    },
    remove: (nextcloud, token) => gone(nextcloud, `/ocs/v2.php/apps/spreed/api/v4/room/${token}`),
  },
  {
    what: "things in the trash",
    async list(nextcloud) {
      return (await readAll(nextcloud, "nc_files_list_trash", all, "items")).map(({ id }) => String(id))
    },
    remove: (nextcloud, id) => call(nextcloud, "nc_files_delete_from_trash", { id }),
  },
]

/** Settings that are restored: the tool that reads one, and the tool that writes it. */
const settings: readonly (readonly [read: string, write: string])[] = [
  ["nc_notes_get_settings", "nc_notes_set_settings"],
  ["nc_cookbook_get_config", "nc_cookbook_set_config"],
  ["nc_status_get_status", "nc_status_set_status"],
]

async function readSettings(nextcloud: Nextcloud): Promise<readonly (() => Promise<unknown>)[]> {
  const restoring: (() => Promise<unknown>)[] = []
  for (const [read, write] of settings) {
    const before = await call<Record<string, unknown>>(nextcloud, read).catch(() => undefined)
    const accepted = Object.keys(toolOf(table, write).input.properties)
    const input = Object.fromEntries(Object.entries(before ?? {}).filter(([name]) => accepted.includes(name)))
    if (before !== undefined) restoring.push(() => call(nextcloud, write, input))
  }
  return restoring
}

async function idsAt(nextcloud: Nextcloud, path: string): Promise<readonly string[]> {
  const items = (await nextcloud.send({ path, activity: "looking what is there" })).json()
  return Array.isArray(items) ? items.map(({ id }: { id: number }) => String(id)) : []
}

const gone = (nextcloud: Nextcloud, path: string): Promise<unknown> =>
  nextcloud.send({ method: "DELETE", path, activity: "tidying up", accept: [404] })

export interface Tidier {
  /** Removes new objects. Returns the number removed of each kind, and the objects that could not be removed. */
  tidy(): Promise<{ readonly removed: Readonly<Record<string, number>>; readonly left: readonly string[] }>
}

/** Lists the existing objects. Skips apps that the server does not have. */
export async function lookAround(nextcloud: Nextcloud): Promise<Tidier> {
  const before = new Map<Kind, ReadonlySet<string>>()
  for (const kind of kinds) {
    const ids = await kind.list(nextcloud).catch(() => undefined)
    if (ids !== undefined) before.set(kind, new Set(ids))
  }
  const restoring = await readSettings(nextcloud)
  return {
    async tidy() {
      const removed: Record<string, number> = {}
      const left: string[] = []
      for (const [kind, known] of before) {
        const added = (await kind.list(nextcloud)).filter((id) => !known.has(id))
        for (const id of new Set(added)) {
          try {
            await kind.remove(nextcloud, id)
            removed[kind.what] = (removed[kind.what] ?? 0) + 1
          } catch (error) {
            left.push(`${kind.what}: ${id}: ${error instanceof Error ? error.message : String(error)}`)
          }
        }
      }
      for (const restore of restoring) await restore().catch((error: Error) => left.push(`a setting: ${error.message}`))
      return { removed, left }
    },
  }
}
