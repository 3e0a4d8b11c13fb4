// Tools for collectives (team wikis) and their tags.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool, withOfferTest } from "../../tool.ts"
import { collective, collectives, isOffered, toCollective } from "./api.ts"
import { pageTools } from "./pages.ts"

async function readCollectives(nextcloud: Nextcloud, isTrashed: boolean): Promise<readonly Fields[]> {
  const path = isTrashed ? "/collectives/trash" : "/collectives"
  return (await collectives(nextcloud, { path, activity: "listing the collectives" })).objects("collectives")
}

const listCollectives = defineTool({
  name: "nc_collectives_list_collectives",
  title: "List collectives",
  description: "The user's collectives: wikis that teams write together.",
  scopes: ["collectives.read"],
  effect: "read",
  input: object({ trashed: optional(flag("List the trash instead")), ...paging }),
  output: object({ collectives: list(collective), ...pageFields }),
  source: "documented",
  async run({ trashed: isTrashed = false, ...page }, nextcloud) {
    const { items, facts } = toPage(await readCollectives(nextcloud, isTrashed), page)
    return { collectives: items.map((fields) => toCollective(nextcloud, fields)), ...facts }
  },
})

const createCollective = defineTool({
  name: "nc_collectives_create_collective",
  title: "Create a collective",
  description: "Creates a collective with its own team. Fails if the name is taken.",
  scopes: ["collectives.write"],
  effect: "add",
  input: object({ name: text(undefined, { least: 1 }), emoji: optional(text()) }),
  output: collective,
  source: "documented",
  async run({ name, emoji }, nextcloud) {
    const json = { name, ...(emoji === undefined ? {} : { emoji }) }
    const request = { method: "POST", path: "/collectives", json, activity: `creating the collective “${name}”` }
    return toCollective(nextcloud, (await collectives(nextcloud, request)).object("collective"))
  },
})

const deleteCollective = defineTool({
  name: "nc_collectives_delete_collective",
  title: "Delete a collective",
  description: "Moves a collective to the trash; with forever, deletes it from the trash.",
  scopes: ["collectives.write"],
  effect: "remove",
  reach: "ended",
  input: object({ collective_id: integer(), forever: optional(flag()) }),
  output: object({ deleted: text("Its name") }),
  requests: 2,
  source: "documented",
  confirm: {
    requests: 2,
    verb: "Delete",
    async readLoss({ collective_id, forever: isPermanent = false }, nextcloud) {
      const collective = await collectiveOf(nextcloud, collective_id, isPermanent)
      const pages = isPermanent ? "its pages" : await pagesIn(nextcloud, collective_id)
      return {
        what: `the collective “${collective.text("name")}”`,
        details: [
          `Everyone in its team loses it, together with ${pages}.`,
          isPermanent ? "It cannot be undone." : "It goes to the trash, and can be restored from there.",
        ],
        guard: collective.text("name"),
      }
    },
  },
  async run({ collective_id, forever: isPermanent = false }, nextcloud, { loss }) {
    const activity = `deleting the collective ${collective_id}`
    const name = (await collectiveOf(nextcloud, collective_id, isPermanent)).text("name")
    if (loss?.guard !== undefined && loss.guard !== name) throw nextcloudError("conflict", { activity })
    const path = isPermanent ? `/collectives/trash/${collective_id}` : `/collectives/${collective_id}`
    await collectives(nextcloud, { method: "DELETE", path, activity })
    return { deleted: name }
  },
})

/** The number of pages, in words. Only for a collective that is not in the trash: others cannot list their pages. */
async function pagesIn(nextcloud: Nextcloud, id: number): Promise<string> {
  const response = await collectives(nextcloud, { path: `/collectives/${id}/pages`, activity: "counting its pages" })
  const { length } = response.list("pages")
  return `${length} ${length === 1 ? "page" : "pages"}`
}

async function collectiveOf(nextcloud: Nextcloud, id: number, isTrashed: boolean): Promise<Fields> {
  const collective = (await readCollectives(nextcloud, isTrashed)).find((fields) => fields.number("id") === id)
  if (collective !== undefined) return collective
  throw nextcloudError("not_found", { activity: `finding the collective ${id}${isTrashed ? " in the trash" : ""}` })
}

const restore = defineTool({
  name: "nc_collectives_restore_item",
  title: "Restore from the trash of Collectives",
  description: "Restores a collective or, with page_id, one of its pages from the trash.",
  scopes: ["collectives.write"],
  effect: "set",
  input: object({ collective_id: integer(), page_id: optional(integer()) }),
  output: object({ restored: text() }),
  source: "documented",
  async run({ collective_id, page_id }, nextcloud) {
    const isPage = page_id !== undefined
    const path = isPage ? `/collectives/${collective_id}/pages/trash/${page_id}` : `/collectives/trash/${collective_id}`
    const activity = `restoring the ${isPage ? `page ${page_id}` : `collective ${collective_id}`}`
    const response = await collectives(nextcloud, { method: "PATCH", path, activity })
    return { restored: isPage ? response.object("page").text("title") : response.object("collective").text("name") }
  },
})

const tag = object({ id: integer(), name: text(), color: text() })

const toTag = (fields: Fields) => ({
  id: fields.number("id"),
  name: fields.text("name"),
  color: fields.text("color"),
})

const listTags = defineTool({
  name: "nc_collectives_list_tags",
  title: "List tags of a collective",
  description: "The tags that pages of a collective can have.",
  scopes: ["collectives.read"],
  effect: "read",
  input: object({ collective_id: integer(), ...paging }),
  output: object({ tags: list(tag), ...pageFields }),
  source: "documented",
  async run({ collective_id, ...page }, nextcloud) {
    const activity = `listing the tags of the collective ${collective_id}`
    const response = await collectives(nextcloud, { path: `/collectives/${collective_id}/tags`, activity })
    const { items, facts } = toPage(response.objects("tags"), page)
    return { tags: items.map(toTag), ...facts }
  },
})

const createTag = defineTool({
  name: "nc_collectives_create_tag",
  title: "Create a tag in a collective",
  description: "Creates a tag for pages of a collective. Fails if the name is taken.",
  scopes: ["collectives.write"],
  effect: "add",
  input: object({
    collective_id: integer(),
    name: text(undefined, { least: 1 }),
    color: text("Six hex digits", { pattern: "^[0-9a-fA-F]{6}$" }),
  }),
  output: tag,
  source: "documented",
  async run({ collective_id, ...json }, nextcloud) {
    const activity = `creating the tag “${json.name}”`
    const path = `/collectives/${collective_id}/tags`
    return toTag((await collectives(nextcloud, { method: "POST", path, json, activity })).object("tag"))
  },
})

export const collectivesTools = withOfferTest(isOffered, [
  listCollectives,
  createCollective,
  deleteCollective,
  restore,
  listTags,
  createTag,
  ...pageTools,
])
