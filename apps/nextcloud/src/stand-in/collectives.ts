// The app "Collectives", from its documented API; nothing of it was recorded. The text of a page is a file of each
// member, so that it can be read and written as the real one's.

import type { Area, Call, Reply } from "./area.ts"
import {
  type Collective,
  collectivesOf,
  createPage,
  ensureFiles,
  type Page,
  showCollective,
  showPage,
} from "./collective-store.ts"
import { ocs, ocsFailure } from "./replies.ts"
import { createArea, fieldsOf, type Groups, inOcs } from "./routes.ts"

const missing = (call: Call, what: string): Reply => ocsFailure(call, 404, `${what} not found`)

const own = ({ world, user }: Call): readonly Collective[] =>
  collectivesOf(world).filter(({ members }) => members.includes(user?.id ?? ""))

type InCollective = (call: Call, collective: Collective, groups: Groups) => Reply | Promise<Reply>

/** With a collective of one's own that is not in the trash. */
const inOne =
  (answer: InCollective) =>
  (call: Call, groups: Groups): Reply | Promise<Reply> => {
    const found = own(call).find(({ id, trashedAt }) => id === Number(groups.id) && trashedAt === undefined)
    return found === undefined ? missing(call, "Collective") : answer(call, found, groups)
  }

type OnPage = (call: Call, collective: Collective, page: Page) => Reply | Promise<Reply>

const onPage = (answer: OnPage, trashed = false) =>
  inOne((call, collective, groups) => {
    const found = collective.pages.find(({ id }) => id === Number(groups.page))
    if (found === undefined || (found.trashedAt !== undefined) !== trashed) return missing(call, "Page")
    return answer(call, collective, found)
  })

const seconds = ({ world }: Call): number => Math.floor(world.now() / 1000)

const live = ({ pages }: Collective): readonly Page[] => pages.filter(({ trashedAt }) => trashedAt === undefined)

async function listPages(call: Call, collective: Collective): Promise<Reply> {
  await ensureFiles(call, collective)
  return ocs(call, { pages: live(collective).map((page) => showPage(collective, page)) })
}

async function getPage(call: Call, collective: Collective, page: Page): Promise<Reply> {
  await ensureFiles(call, collective)
  return ocs(call, { page: showPage(collective, page) })
}

async function addPage(call: Call, collective: Collective, parent: Page): Promise<Reply> {
  const title = fieldsOf(call).get("title") ?? ""
  if (title === "") return ocsFailure(call, 400, "A page needs a title")
  const page = createPage(call.world, collective, { title, parent: parent.id, author: call.user?.id ?? "" })
  return getPage(call, collective, page)
}

function changePage(call: Call, collective: Collective, page: Page): Reply {
  const fields = fieldsOf(call)
  page.title = fields.get("title") || page.title
  page.parentId = Number(fields.get("parentId") ?? page.parentId)
  page.timestamp = seconds(call)
  return ocs(call, { page: showPage(collective, page) })
}

function setPageEmoji(call: Call, collective: Collective, page: Page): Reply {
  page.emoji = fieldsOf(call).get("emoji") ?? ""
  return ocs(call, { page: showPage(collective, page) })
}

function trashPage(call: Call, collective: Collective, page: Page): Reply {
  page.trashedAt = seconds(call)
  return ocs(call, { page: showPage(collective, page) })
}

function restorePage(call: Call, collective: Collective, page: Page): Reply {
  delete page.trashedAt
  return ocs(call, { page: showPage(collective, page) })
}

function searchPages(call: Call, collective: Collective): Reply {
  const term = (call.query.get("searchString") ?? "").toLowerCase()
  const found = live(collective).filter(({ title, content }) => `${title}\n${content}`.toLowerCase().includes(term))
  return ocs(call, { pages: found.map((page) => showPage(collective, page)) })
}

function createCollective(call: Call): Reply {
  const fields = fieldsOf(call)
  const name = fields.get("name") ?? ""
  if (name === "") return ocsFailure(call, 422, "A collective needs a name")
  const author = call.user?.id ?? ""
  const collective: Collective = {
    id: call.world.nextId(),
    name,
    emoji: fields.get("emoji") ?? "",
    members: [author],
    pages: [],
    tags: [],
  }
  createPage(call.world, collective, { title: "Landing page", parent: 0, author })
  collectivesOf(call.world).push(collective)
  return ocs(call, { collective: showCollective(collective) })
}

function setEmoji(call: Call, collective: Collective): Reply {
  collective.emoji = fieldsOf(call).get("emoji") ?? ""
  return ocs(call, { collective: showCollective(collective) })
}

function trash(call: Call, collective: Collective): Reply {
  collective.trashedAt = seconds(call)
  return ocs(call, { collective: showCollective(collective) })
}

/** With a collective in the trash: what is done with it, and then it is shown. */
const inTrash =
  (change: (call: Call, collective: Collective) => void) =>
  (call: Call, { id }: Groups): Reply => {
    const found = own(call).find((one) => one.id === Number(id) && one.trashedAt !== undefined)
    if (found === undefined) return missing(call, "Collective")
    change(call, found)
    return ocs(call, { collective: showCollective(found) })
  }

const restore = inTrash((_, collective) => delete collective.trashedAt)

const remove = inTrash(({ world }, collective) => {
  const all = collectivesOf(world)
  all.splice(all.indexOf(collective), 1)
})

function createTag(call: Call, collective: Collective): Reply {
  const fields = fieldsOf(call)
  const tag = {
    id: call.world.nextId(),
    collectiveId: collective.id,
    name: fields.get("name") ?? "",
    color: fields.get("color") ?? "",
  }
  collective.tags.push(tag)
  return ocs(call, { tag })
}

const tagPage = (isOn: boolean) =>
  inOne((call, collective, groups) => {
    const page = live(collective).find(({ id }) => id === Number(groups.page))
    const tag = collective.tags.find(({ id }) => id === Number(groups.tag))
    if (page === undefined || tag === undefined) return missing(call, page === undefined ? "Page" : "Tag")
    if (isOn) page.tags.add(tag.id)
    else page.tags.delete(tag.id)
    return ocs(call, { page: showPage(collective, page) })
  })

const base = "/apps/collectives/api/v1.0/collectives"
const one = `${base}/(?<id>\\d+)`
const page = `${one}/pages/(?<page>\\d+)`
const pageInTrash = `${one}/pages/trash/(?<page>\\d+)`
const tagOfPage = `${page}/tags/(?<tag>\\d+)`

const trashed = (call: Call): readonly Collective[] => own(call).filter(({ trashedAt }) => trashedAt !== undefined)
const current = (call: Call): readonly Collective[] => own(call).filter(({ trashedAt }) => trashedAt === undefined)

export const collectivesArea: Area = createArea([
  ["GET", inOcs(base), (call) => ocs(call, { collectives: current(call).map(showCollective) })],
  ["POST", inOcs(base), createCollective],
  ["GET", inOcs(`${base}/trash`), (call) => ocs(call, { collectives: trashed(call).map(showCollective) })],
  ["PATCH", inOcs(`${base}/trash/(?<id>\\d+)`), restore],
  ["DELETE", inOcs(`${base}/trash/(?<id>\\d+)`), remove],
  ["PUT", inOcs(one), inOne(setEmoji)],
  ["DELETE", inOcs(one), inOne(trash)],
  ["GET", inOcs(`${one}/pages`), inOne(listPages)],
  ["GET", inOcs(`${one}/search`), inOne(searchPages)],
  ["GET", inOcs(`${one}/tags`), inOne((call, { tags }) => ocs(call, { tags }))],
  ["POST", inOcs(`${one}/tags`), inOne(createTag)],
  [
    "GET",
    inOcs(`${one}/pages/trash`),
    inOne((call, collective) => {
      const pages = collective.pages.filter(({ trashedAt }) => trashedAt !== undefined)
      return ocs(call, { pages: pages.map((one) => showPage(collective, one)) })
    }),
  ],
  ["PATCH", inOcs(pageInTrash), onPage(restorePage, true)],
  ["GET", inOcs(page), onPage(getPage)],
  ["POST", inOcs(page), onPage(addPage)],
  ["PUT", inOcs(page), onPage(changePage)],
  ["DELETE", inOcs(page), onPage(trashPage)],
  ["PUT", inOcs(`${page}/emoji`), onPage(setPageEmoji)],
  ["PUT", inOcs(tagOfPage), tagPage(true)],
  ["DELETE", inOcs(tagOfPage), tagPage(false)],
])
