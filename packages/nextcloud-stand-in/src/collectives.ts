// The app "Collectives", from its documented API; nothing of it was recorded. The text of a page is a file of each member,
// so that it can be read and written as on a real server.

import type { Area, Call, Reply } from "./area.ts"
import { ensureFiles, readText, removeFile, withFiles } from "./collective-files.ts"
import {
  above,
  type Collective,
  collectivesOf,
  createPage,
  freeTitle,
  live,
  type Page,
  showCollective,
  showPage,
  showTrashed,
} from "./collective-store.ts"
import { ocs, ocsFailure } from "./replies.ts"
import { createArea, fieldsOf, type Groups, inOcs, jsonOf } from "./routes.ts"

const missing = (call: Call, what: string): Reply => ocsFailure(call, 404, `${what} not found`)

const userOf = ({ user }: Call): string => user?.id ?? ""

const own = (call: Call): readonly Collective[] =>
  collectivesOf(call.world).filter(({ members }) => members.includes(userOf(call)))

type InCollective = (call: Call, collective: Collective, groups: Groups) => Reply | Promise<Reply>

/** Requires a collective of the caller that is not in the trash. */
const inOne =
  (answer: InCollective) =>
  (call: Call, groups: Groups): Reply | Promise<Reply> => {
    const collective = own(call).find(({ id, trashedAt }) => id === Number(groups.id) && trashedAt === undefined)
    return collective === undefined ? missing(call, "Collective") : answer(call, collective, groups)
  }

/** Only for admins of the team. */
const asAdmin = (answer: InCollective) =>
  inOne((call, collective, groups) => {
    if (collective.members[0] === userOf(call)) return answer(call, collective, groups)
    return ocsFailure(call, 403, `Member ${userOf(call)} not allowed to update collective: ${collective.id}`)
  })

type OnPage = (call: Call, collective: Collective, page: Page) => Reply | Promise<Reply>

const onPage = (answer: OnPage) =>
  inOne((call, collective, groups) => {
    const page = live(collective).find(({ id }) => id === Number(groups.page))
    return page === undefined ? missing(call, "Page") : answer(call, collective, page)
  })

const seconds = ({ world }: Call): number => Math.floor(world.now() / 1000)

const toPage = (call: Call, collective: Collective, page: Page): Reply =>
  ocs(call, { page: showPage(collective, page) })

async function listPages(call: Call, collective: Collective): Promise<Reply> {
  await ensureFiles(call, collective)
  return ocs(call, { pages: live(collective).map((page) => showPage(collective, page)) })
}

async function getPage(call: Call, collective: Collective, page: Page): Promise<Reply> {
  await ensureFiles(call, collective)
  return toPage(call, collective, page)
}

async function touchPage(call: Call, collective: Collective, page: Page): Promise<Reply> {
  await ensureFiles(call, collective)
  page.content = await readText(call, collective, page)
  page.author = userOf(call)
  page.timestamp = seconds(call)
  return toPage(call, collective, page)
}

async function addPage(call: Call, collective: Collective, parent: Page): Promise<Reply> {
  const title = fieldsOf(call).get("title") ?? ""
  const draft = { title, parent: parent.id, author: userOf(call) }
  const page = await withFiles(call, collective, () => createPage(call.world, collective, draft))
  return getPage(call, collective, page)
}

async function changePage(call: Call, collective: Collective, page: Page): Promise<Reply> {
  const fields = fieldsOf(call)
  const parentId = Number(fields.get("parentId") || page.parentId)
  const parent = live(collective).find(({ id }) => id === parentId)
  const refused = whyNotTo(collective, page, parent)
  if (refused !== undefined) return ocsFailure(call, 403, refused)
  if (parent === undefined) return missing(call, "Page")
  const title = fields.get("title") || page.title
  if (fields.get("copy") === "true") return copyPage(call, collective, { page, parent, title })
  await withFiles(call, collective, () => {
    const isSame = parentId === page.parentId && title === page.title
    if (!isSame) page.title = freeTitle(collective, parentId, title)
    page.parentId = parentId
    parent.isFolder = true
  })
  page.author = userOf(call)
  return toPage(call, collective, page)
}

function whyNotTo(collective: Collective, page: Page, parent: Page | undefined): string | undefined {
  if (page.parentId === 0) return "Not allowed to move or copy landing page"
  if (parent === page) return "Not allowed to move or copy a page to itself"
  const isBelow = parent !== undefined && above(collective, parent).includes(page)
  return isBelow ? "Not allowed to move or copy a page to a subpage of itself" : undefined
}

interface Copying {
  readonly page: Page
  readonly parent: Page
  readonly title: string
}

async function copyPage(call: Call, collective: Collective, { page, parent, title }: Copying): Promise<Reply> {
  const content = await readText(call, collective, page)
  const draft = { title, parent: parent.id, author: userOf(call), content }
  const copy = await withFiles(call, collective, () => createPage(call.world, collective, draft))
  copy.emoji = page.emoji
  for (const tag of page.tags) copy.tags.add(tag)
  return getPage(call, collective, copy)
}

/** Null is returned but changes nothing: only an empty text removes an emoji. */
function setPageEmoji(call: Call, collective: Collective, page: Page): Reply {
  const emoji = emojiIn(call)
  if (emoji !== null) page.emoji = emoji
  return ocs(call, { page: { ...showPage(collective, page), emoji } })
}

function setEmoji(call: Call, collective: Collective): Reply {
  const emoji = emojiIn(call)
  if (emoji !== null) collective.emoji = emoji === "" ? null : emoji
  return ocs(call, { collective: showCollective(collective) })
}

function emojiIn(call: Call): string | null {
  const { emoji } = jsonOf(call) as { readonly emoji?: string | null }
  return emoji ?? null
}

async function trashPage(call: Call, collective: Collective, page: Page): Promise<Reply> {
  // The collective's own folder stays.
  if (page.parentId === 0) return missing(call, "Page")
  const deletedPage = showPage(collective, page)
  for (const one of live(collective))
    if (one === page || above(collective, one).includes(page)) await removeFile(call, collective, one)
  page.trashedAt = seconds(call)
  return ocs(call, { page: { ...deletedPage, trashTimestamp: page.trashedAt } })
}

const trashedIn = ({ pages }: Collective): readonly Page[] => pages.filter(({ trashedAt }) => trashedAt !== undefined)

const restorePage = inOne((call, collective, groups) => {
  const page = trashedIn(collective).find(({ id }) => id === Number(groups.page))
  if (page === undefined) return missing(call, "Page")
  page.title = freeTitle(collective, page.parentId, page.title)
  delete page.trashedAt
  return getPage(call, collective, page)
})

function searchPages(call: Call, collective: Collective): Reply {
  const term = (call.query.get("searchString") ?? "").toLowerCase()
  const matches = live(collective).filter(({ title, content }) => `${title}\n${content}`.toLowerCase().includes(term))
  return ocs(call, { pages: matches.map((page) => showPage(collective, page)) })
}

function createCollective(call: Call): Reply {
  const fields = fieldsOf(call)
  const name = fields.get("name") ?? ""
  if (name === "") return ocsFailure(call, 400, "Empty collective name is not allowed")
  const isTaken = own(call).some((one) => one.name === name)
  if (isTaken) return ocsFailure(call, 400, "Collective already exists.")
  const author = userOf(call)
  const emoji = fields.get("emoji") || null
  const collective: Collective = { id: call.world.nextId(), name, emoji, members: [author], pages: [], tags: [] }
  createPage(call.world, collective, { title: "Landing page", parent: 0, author })
  collectivesOf(call.world).push(collective)
  return ocs(call, { collective: showCollective(collective), info: "" })
}

function trash(call: Call, collective: Collective): Reply {
  collective.trashedAt = seconds(call)
  return ocs(call, { collective: showCollective(collective) })
}

/** Applies a change to a collective in the trash, then returns it. */
const inTrash =
  (change: (call: Call, collective: Collective) => void) =>
  (call: Call, { id }: Groups): Reply => {
    const collective = own(call).find((one) => one.id === Number(id) && one.trashedAt !== undefined)
    if (collective === undefined) return missing(call, "Collective")
    change(call, collective)
    return ocs(call, { collective: showCollective(collective) })
  }

const restore = inTrash((_, collective) => delete collective.trashedAt)

const remove = inTrash(({ world }, collective) => {
  const all = collectivesOf(world)
  all.splice(all.indexOf(collective), 1)
})

function createTag(call: Call, collective: Collective): Reply {
  const fields = fieldsOf(call)
  const name = fields.get("name") ?? ""
  const isTaken = collective.tags.some((one) => one.name === name)
  if (isTaken) return ocsFailure(call, 400, `Tag already exists for collective: ${name}`)
  const tag = { id: call.world.nextId(), collectiveId: collective.id, name, color: fields.get("color") ?? "" }
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
    return toPage(call, collective, page)
  })

const listTrashed: InCollective = (call, collective) =>
  ocs(call, { pages: trashedIn(collective).map((one) => showTrashed(collective, one)) })

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
  ["PUT", inOcs(one), asAdmin(setEmoji)],
  ["DELETE", inOcs(one), asAdmin(trash)],
  ["GET", inOcs(`${one}/pages`), inOne(listPages)],
  ["GET", inOcs(`${one}/search`), inOne(searchPages)],
  ["GET", inOcs(`${one}/tags`), inOne((call, { tags }) => ocs(call, { tags }))],
  ["POST", inOcs(`${one}/tags`), inOne(createTag)],
  ["GET", inOcs(`${one}/pages/trash`), inOne(listTrashed)],
  ["PATCH", inOcs(pageInTrash), restorePage],
  ["GET", inOcs(page), onPage(getPage)],
  ["GET", inOcs(`${page}/touch`), onPage(touchPage)],
  ["POST", inOcs(page), onPage(addPage)],
  ["PUT", inOcs(page), onPage(changePage)],
  ["DELETE", inOcs(page), onPage(trashPage)],
  ["PUT", inOcs(`${page}/emoji`), onPage(setPageEmoji)],
  ["PUT", inOcs(tagOfPage), tagPage(true)],
  ["DELETE", inOcs(tagOfPage), tagPage(false)],
])
